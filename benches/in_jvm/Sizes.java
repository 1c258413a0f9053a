import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import javax.management.ObjectName;
import moa.classifiers.Classifier;
import moa.core.InstanceExample;

/**
 * What a taught model of MOA holds in the heap, in bytes.
 *
 * Arguments: file, columns and classes as `Prequential` has them, copies, and a learner as MOA's
 * command line writes it. The JVM itself counts its living objects after a full collection (the
 * class histogram), before so many prepared copies are taught, after, and when they are gone; what
 * MOA measures of itself needs an agent. A line: whole (bytes of a taught copy, with the options
 * every learner of MOA carries), grown (what teaching added to it).
 */
public class Sizes {
    public static void main(String[] args) throws Exception {
        String[] columns = args[1].isEmpty() ? new String[0] : args[1].split(",");
        InstancesHeader header = Prequential.header(columns, Integer.parseInt(args[2]));
        InstanceExample[] items = Prequential.read(Path.of(args[0]), columns.length, header);
        int copies = Integer.parseInt(args[3]);
        teach(items, prepared(args[4], header)); // what is loaded and kept once is there now
        living();
        long nothing = living();
        Classifier[] learners = new Classifier[copies];
        for (int i = 0; i < copies; i++) {
            learners[i] = prepared(args[4], header);
        }
        long before = living();
        for (Classifier learner : learners) {
            teach(items, learner);
        }
        long after = living();
        System.out.println(
                "whole=" + (after - nothing) / (double) copies
                        + " grown=" + (after - before) / (double) copies
                        + " copies=" + learners.length);
    }

    private static Classifier prepared(String line, InstancesHeader header) {
        Classifier learner = Prequential.learner(line);
        learner.prepareForUse();
        learner.setModelContext(header);
        return learner;
    }

    private static void teach(InstanceExample[] items, Classifier learner) {
        for (InstanceExample item : items) {
            learner.getVotesForInstance(item);
            learner.trainOnInstance(item);
        }
    }

    /** Bytes of all living objects; asking for them collects first. */
    private static long living() throws Exception {
        String told =
                (String)
                        ManagementFactory.getPlatformMBeanServer()
                                .invoke(
                                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                        "gcClassHistogram",
                                        new Object[] {null},
                                        new String[] {String[].class.getName()});
        String[] words = told.trim().substring(told.trim().lastIndexOf("Total")).split("\\s+");
        return Long.parseLong(words[2]);
    }
}
