import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import moa.core.InstanceExample;
import moa.core.ObjectRepository;
import moa.evaluation.BasicClassificationPerformanceEvaluator;
import moa.evaluation.preview.LearningCurve;
import moa.tasks.EvaluatePrequentialCV;
import moa.tasks.NullMonitor;

/**
 * MOA's EvaluatePrequentialCV over items in the heap.
 *
 * Arguments: file, columns and classes as of Prequential, rounds, folds, learner, and validation
 * methodologies ("Cross-Validation", "Split-Validation", "Bootstrap-Validation"). Each round runs
 * every methodology once; a line each: method, round, seconds (of this thread), items, accuracy
 * (the mean over the folds).
 */
public class CrossValidation {
    public static void main(String[] args) throws IOException {
        String[] columns = args[1].isEmpty() ? new String[0] : args[1].split(",");
        int classes = Integer.parseInt(args[2]);
        int rounds = Integer.parseInt(args[3]);
        InstancesHeader header = Prequential.header(columns, classes);
        InstanceExample[] items = Prequential.read(Path.of(args[0]), columns.length, header);
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        for (int round = 0; round < rounds; round++) {
            for (int m = 6; m < args.length; m++) {
                EvaluatePrequentialCV task = new EvaluatePrequentialCV();
                task.learnerOption.setCurrentObject(Prequential.learner(args[5]));
                task.streamOption.setCurrentObject(new Prequential.Heap(items, header));
                task.evaluatorOption.setCurrentObject(new BasicClassificationPerformanceEvaluator());
                task.numFoldsOption.setValue(Integer.parseInt(args[4]));
                task.validationMethodologyOption.setChosenLabel(args[m]);
                task.prepareForUse();
                long start = clock.getCurrentThreadCpuTime();
                LearningCurve curve =
                        (LearningCurve) task.doTask(new NullMonitor(), new ObjectRepository() {
                            @Override
                            public Object getObjectNamed(String name) {
                                return null;
                            }
                        });
                double seconds = (clock.getCurrentThreadCpuTime() - start) / 1e9;
                int last = curve.numEntries() - 1;
                double accuracy = Double.NaN;
                for (int i = 0; Double.isNaN(accuracy); i++) {
                    // the mean over the folds; its name has the prefix "[avg] "
                    if (curve.getMeasurementName(i).contains("classifications correct")) {
                        accuracy = curve.getMeasurement(last, i) / 100;
                    }
                }
                System.out.println(
                        "method=" + args[m] + " round=" + round + " seconds=" + seconds
                                + " items=" + items.length + " accuracy=" + accuracy);
            }
        }
    }
}
