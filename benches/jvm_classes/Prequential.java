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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import moa.AbstractMOAObject;
import moa.classifiers.Classifier;
import moa.core.Example;
import moa.core.InstanceExample;
import moa.core.Measurement;
import moa.core.Utils;
import moa.evaluation.BasicClassificationPerformanceEvaluator;
import moa.evaluation.EfficientEvaluationLoops;
import moa.evaluation.WindowClassificationPerformanceEvaluator;
import moa.options.ClassOption;
import moa.streams.ExampleStream;

/**
 * The loop that CapyMOA runs inside the JVM, over items in the heap.
 *
 * Arguments: file, columns (values of each, comma-separated, 0 for numeric), classes, rounds, and
 * learners as MOA's command line writes them. The file has the attributes and the class of each
 * item as little-endian doubles, NaN where missing. Each round runs every learner once,
 * untrained; a line each: learner, round, seconds (of this thread), items, accuracy. Evaluators:
 * basic and window of 1000, without AUC (which CapyMOA enables, and which is quadratic).
 * With 0 rounds, each learner's predictions are written next to the file, under its name, as
 * little-endian int32, -1 where it voted for no class at all; a line each: learner, and what MOA
 * measures of the model (the leaves of a tree).
 */
public class Prequential {
    public static void main(String[] args) throws IOException {
        String[] columns = args[1].isEmpty() ? new String[0] : args[1].split(",");
        int classes = Integer.parseInt(args[2]);
        int rounds = Integer.parseInt(args[3]);
        InstancesHeader header = header(columns, classes);
        InstanceExample[] items = read(Path.of(args[0]), columns.length, header);
        for (int l = 4; rounds == 0 && l < args.length; l++) {
            predict(args[l], items, header, Path.of(args[0] + "." + args[l]));
        }
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        for (int round = 0; round < rounds; round++) {
            for (int l = 4; l < args.length; l++) {
                Classifier learner = learner(args[l]);
                learner.prepareForUse();
                learner.setModelContext(header);
                BasicClassificationPerformanceEvaluator whole =
                        new BasicClassificationPerformanceEvaluator();
                WindowClassificationPerformanceEvaluator window =
                        new WindowClassificationPerformanceEvaluator();
                window.widthOption.setValue(1000);
                Heap heap = new Heap(items, header);
                long start = clock.getCurrentThreadCpuTime();
                EfficientEvaluationLoops.PrequentialEvaluation(
                        heap, learner, whole, window, -1, 1000, false, false);
                double seconds = (clock.getCurrentThreadCpuTime() - start) / 1e9;
                System.out.println(
                        "learner=" + args[l].replace(' ', '_')
                                + " round=" + round
                                + " seconds=" + seconds
                                + " items=" + (long) whole.getTotalWeightObserved()
                                + " accuracy=" + whole.getFractionCorrectlyClassified());
            }
        }
    }

    private static void predict(
            String line, InstanceExample[] items, InstancesHeader header, Path path)
            throws IOException {
        Classifier learner = learner(line);
        learner.prepareForUse();
        learner.setModelContext(header);
        ByteBuffer predictions =
                ByteBuffer.allocate(4 * items.length).order(ByteOrder.LITTLE_ENDIAN);
        for (InstanceExample item : items) {
            double[] votes = learner.getVotesForInstance(item);
            predictions.putInt(Utils.sum(votes) == 0.0 ? -1 : Utils.maxIndex(votes));
            learner.trainOnInstance(item);
        }
        Files.write(path, predictions.array());
        Measurement[] facts = learner.getModelMeasurements();
        StringBuilder output = new StringBuilder("learner=" + line.replace(' ', '_'));
        for (Measurement fact : facts == null ? new Measurement[0] : facts) {
            String name = fact.getName().replaceAll("[^A-Za-z]+", "_");
            output.append(" ").append(name).append("=").append(fact.getValue());
        }
        System.out.println(output);
    }

    static Classifier learner(String line) {
        try {
            return (Classifier) ClassOption.cliStringToObject(line, Classifier.class, null);
        } catch (Exception error) {
            throw new IllegalArgumentException(line, error);
        }
    }

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("v" + i);
        }
        return names;
    }

    static InstancesHeader header(String[] columns, int classes) {
        ArrayList<Attribute> attributes = new ArrayList<>();
        for (int j = 0; j < columns.length; j++) {
            int values = Integer.parseInt(columns[j]);
            attributes.add(
                    values == 0 ? new Attribute("x" + j) : new Attribute("x" + j, names(values)));
        }
        attributes.add(new Attribute("class", names(classes)));
        Instances data = new Instances("heap", attributes, 0);
        data.setClassIndex(columns.length);
        return new InstancesHeader(data);
    }

    static InstanceExample[] read(Path path, int width, InstancesHeader header)
            throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            int count = (int) (file.size() / 8 / (width + 1));
            InstanceExample[] items = new InstanceExample[count];
            ByteBuffer row = ByteBuffer.allocate(8 * (width + 1)).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < count; i++) {
                row.clear();
                while (row.hasRemaining()) {
                    file.read(row);
                }
                row.flip();
                double[] values = new double[width + 1];
                row.asDoubleBuffer().get(values);
                Instance item = new DenseInstance(1.0, values);
                item.setDataset(header);
                items[i] = new InstanceExample(item);
            }
            return items;
        }
    }

    /** A stream of items in the heap. */
    static final class Heap extends AbstractMOAObject
            implements ExampleStream<Example<Instance>> {
        private final InstanceExample[] items;
        private final InstancesHeader header;
        private int next;

        Heap(InstanceExample[] items, InstancesHeader header) {
            this.items = items;
            this.header = header;
        }

        @Override
        public InstancesHeader getHeader() {
            return header;
        }

        @Override
        public long estimatedRemainingInstances() {
            return items.length - next;
        }

        @Override
        public boolean hasMoreInstances() {
            return next < items.length;
        }

        @Override
        public Example<Instance> nextInstance() {
            return items[next++];
        }

        @Override
        public boolean isRestartable() {
            return true;
        }

        @Override
        public void restart() {
            next = 0;
        }

        @Override
        public void getDescription(StringBuilder out, int indent) {
            out.append("items in the heap");
        }
    }
}
