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
import moa.core.InstanceExample;
import moa.evaluation.BasicClassificationPerformanceEvaluator;
import moa.evaluation.FadingFactorClassificationPerformanceEvaluator;
import moa.evaluation.WindowClassificationPerformanceEvaluator;

/**
 * MOA's three evaluators over labels and predictions in memory, with results every so many rows.
 *
 * Arguments: file (labels, then predictions, little-endian int32), rows, classes, every, rounds.
 * One instance and one vote vector per class are made in advance, so that only the
 * evaluators are timed. Results are read only by the getters.
 */
public class Curves {
    public static void main(String[] args) throws IOException {
        int rows = Integer.parseInt(args[1]);
        int classes = Integer.parseInt(args[2]);
        int every = Integer.parseInt(args[3]);
        int rounds = Integer.parseInt(args[4]);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[0])));
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        int[] labels = new int[rows];
        int[] predictions = new int[rows];
        bytes.asIntBuffer().get(labels).get(predictions);

        List<String> names = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            names.add("c" + i);
        }
        ArrayList<Attribute> attributes = new ArrayList<>();
        attributes.add(new Attribute("x"));
        attributes.add(new Attribute("class", names));
        Instances header = new Instances("log", attributes, 0);
        header.setClassIndex(1);
        InstancesHeader dataset = new InstancesHeader(header);
        InstanceExample[] items = new InstanceExample[classes];
        double[][] votes = new double[classes][classes];
        for (int i = 0; i < classes; i++) {
            Instance item = new DenseInstance(1.0, new double[] {0.0, i});
            item.setDataset(dataset);
            items[i] = new InstanceExample(item);
            votes[i][i] = 1.0;
        }

        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        for (int round = 0; round < rounds; round++) {
            BasicClassificationPerformanceEvaluator whole =
                    new BasicClassificationPerformanceEvaluator();
            WindowClassificationPerformanceEvaluator window =
                    new WindowClassificationPerformanceEvaluator();
            window.widthOption.setValue(1000);
            FadingFactorClassificationPerformanceEvaluator fading =
                    new FadingFactorClassificationPerformanceEvaluator();
            BasicClassificationPerformanceEvaluator[] all = {whole, window, fading};
            double checksum = 0.0;
            long start = clock.getCurrentThreadCpuTime();
            for (int i = 0; i < rows; i++) {
                InstanceExample item = items[labels[i]];
                double[] vote = votes[predictions[i]];
                whole.addResult(item, vote);
                window.addResult(item, vote);
                fading.addResult(item, vote);
                if ((i + 1) % every == 0) {
                    for (BasicClassificationPerformanceEvaluator one : all) {
                        checksum += one.getFractionCorrectlyClassified();
                        checksum += one.getKappaStatistic();
                        checksum += one.getKappaTemporalStatistic();
                    }
                }
            }
            long spent = clock.getCurrentThreadCpuTime() - start;
            StringBuilder line = new StringBuilder("seconds=" + spent / 1e9 + " rows=" + rows);
            String[] windowNames = {"whole", "sliding", "fading"};
            for (int w = 0; w < all.length; w++) {
                line.append(" accuracy_" + windowNames[w] + "=" + all[w].getFractionCorrectlyClassified());
                line.append(" kappa_" + windowNames[w] + "=" + all[w].getKappaStatistic());
                line.append(" kappa_temporal_" + windowNames[w] + "=" + all[w].getKappaTemporalStatistic());
            }
            System.out.println(line + " checksum=" + checksum);
        }
    }
}
