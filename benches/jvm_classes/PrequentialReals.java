import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import moa.classifiers.Classifier;
import moa.classifiers.trees.ORTO;
import moa.core.InstanceExample;
import moa.options.ClassOption;

/**
 * Regression learners, test-then-train over items in the heap.
 *
 * Arguments: file, columns (values of each, comma-separated, 0 for numeric), rounds, and learners
 * as MOA's command line writes them, each preceded by a seed and a colon. The file has the
 * attributes and the label of each item as little-endian doubles, NaN where missing. Each round
 * runs every learner once, untrained; a line each: learner (its index), round,
 * seconds (of this thread), items, mae. The predictions of the last round are written next to the
 * file, as little-endian doubles, under the learner's index.
 */
public class PrequentialReals {
    public static void main(String[] args) throws Exception {
        String[] columns = args[1].isEmpty() ? new String[0] : args[1].split(",");
        int rounds = Integer.parseInt(args[2]);
        InstanceExample[] items = read(Path.of(args[0]), columns.length, header(columns));
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        for (int round = 0; round < rounds; round++) {
            for (int l = 3; l < args.length; l++) {
                Classifier learner = learner(args[l]);
                learner.setModelContext(header(columns));
                double[] predictions = new double[items.length];
                double absoluteErrors = 0.0;
                long start = clock.getCurrentThreadCpuTime();
                for (int i = 0; i < items.length; i++) {
                    predictions[i] = prediction(learner, items[i]);
                    absoluteErrors += Math.abs(predictions[i] - items[i].instance.classValue());
                    learner.trainOnInstance(items[i]);
                }
                double seconds = (clock.getCurrentThreadCpuTime() - start) / 1e9;
                System.out.println(
                        "learner=" + (l - 3)
                                + " round=" + round
                                + " seconds=" + seconds
                                + " items=" + items.length
                                + " mae=" + absoluteErrors / items.length);
                if (round == rounds - 1) {
                    write(predictions, Path.of(args[0] + "." + (l - 3)));
                }
            }
        }
    }

    /** The prediction of a learner; 0 where it abstains, as in MOA's evaluators. */
    private static double prediction(Classifier learner, InstanceExample item) {
        double[] votes = learner.getVotesForInstance(item);
        return votes.length == 0 ? 0.0 : votes[0];
    }

    private static Classifier learner(String line) throws Exception {
        String[] parts = line.split(":", 2);
        Classifier learner =
                (Classifier) ClassOption.cliStringToObject(parts[1], Classifier.class, null);
        // In this order, with a reset at the end: AMRules has no generator before it is prepared,
        // and the others use a seed when they are reset.
        learner.prepareForUse();
        learner.setRandomSeed(Integer.parseInt(parts[0]));
        learner.resetLearning();
        return learner;
    }

    private static void write(double[] predictions, Path path) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(8 * predictions.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(predictions);
        Files.write(path, bytes.array());
    }

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("v" + i);
        }
        return names;
    }

    private static InstancesHeader header(String[] columns) {
        ArrayList<Attribute> attributes = new ArrayList<>();
        for (int j = 0; j < columns.length; j++) {
            int values = Integer.parseInt(columns[j]);
            attributes.add(
                    values == 0 ? new Attribute("x" + j) : new Attribute("x" + j, names(values)));
        }
        attributes.add(new Attribute("y"));
        Instances data = new Instances("heap", attributes, 0);
        data.setClassIndex(columns.length);
        return new InstancesHeader(data);
    }

    private static InstanceExample[] read(Path path, int width, InstancesHeader header)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        InstanceExample[] items = new InstanceExample[bytes.remaining() / 8 / (width + 1)];
        for (int i = 0; i < items.length; i++) {
            double[] values = new double[width + 1];
            for (int j = 0; j <= width; j++) {
                values[j] = bytes.getDouble();
            }
            Instance item = new DenseInstance(1.0, values);
            item.setDataset(header);
            items[i] = new InstanceExample(item);
        }
        return items;
    }

    /**
     * ORTO with predictions of option nodes: in the moa.jar of CapyMOA 0.15.1 their method has another
     * signature than the one it should override, and so returns 0.
     */
    public static final class CorrectedORTO extends ORTO {
        @Override
        protected OptionNode newOptionNode() {
            maxID++;
            return new CorrectedNode(this);
        }
    }

    private static final class CorrectedNode extends ORTO.OptionNode {
        private final ORTO whole;

        CorrectedNode(ORTO whole) {
            super(whole);
            this.whole = whole;
        }

        @Override
        public double getPrediction(Instance item) {
            return getPrediction(item, whole);
        }
    }
}
