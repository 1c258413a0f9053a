import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import javax.management.ObjectName;
import moa.classifiers.Classifier;
import moa.core.InstanceExample;

/**
 * The memory of a trained model of MOA in the heap, in bytes.
 *
 * Arguments: file, columns and classes as `Prequential` has them, models, and a learner as MOA's
 * command line writes it. The JVM counts its live objects after a full collection (the
 * class histogram), before and after prepared models are trained;
 * MOA's own measurement needs an agent. A line: whole (bytes of a trained model, with the options
 * that every learner of MOA has), grown (what training added).
 */
public class Sizes {
    public static void main(String[] args) throws Exception {
        String[] columns = args[1].isEmpty() ? new String[0] : args[1].split(",");
        InstancesHeader header = Prequential.header(columns, Integer.parseInt(args[2]));
        InstanceExample[] items = Prequential.read(Path.of(args[0]), columns.length, header);
        int models = Integer.parseInt(args[3]);
        train(items, prepared(args[4], header)); // loads what is loaded once
        liveBytes();
        long nothing = liveBytes();
        Classifier[] learners = new Classifier[models];
        for (int i = 0; i < models; i++) {
            learners[i] = prepared(args[4], header);
        }
        long before = liveBytes();
        for (Classifier learner : learners) {
            train(items, learner);
        }
        long after = liveBytes();
        System.out.println(
                "whole=" + (after - nothing) / (double) models
                        + " grown=" + (after - before) / (double) models
                        + " models=" + learners.length);
    }

    private static Classifier prepared(String line, InstancesHeader header) {
        Classifier learner = Prequential.learner(line);
        learner.prepareForUse();
        learner.setModelContext(header);
        return learner;
    }

    private static void train(InstanceExample[] items, Classifier learner) {
        for (InstanceExample item : items) {
            learner.getVotesForInstance(item);
            learner.trainOnInstance(item);
        }
    }

    /** Bytes of all live objects, after a collection. */
    private static long liveBytes() throws Exception {
        String histogram =
                (String)
                        ManagementFactory.getPlatformMBeanServer()
                                .invoke(
                                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                        "gcClassHistogram",
                                        new Object[] {null},
                                        new String[] {String[].class.getName()});
        String[] words = histogram.trim().substring(histogram.trim().lastIndexOf("Total")).split("\\s+");
        return Long.parseLong(words[2]);
    }
}
