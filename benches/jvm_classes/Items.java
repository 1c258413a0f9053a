import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import moa.options.ClassOption;
import moa.options.OptionHandler;
import moa.streams.ExampleStream;

/**
 * The first items of MOA's streams, as raw numbers.
 *
 * Arguments: file to write, items per stream. Standard input: one stream per line, as MOA's command
 * line writes it; all must have the same header. Each item is its attributes and its class, as
 * little-endian doubles. Prints the attributes' names and values, `name=value,value`.
 */
public class Items {
    public static void main(String[] args) throws Exception {
        int items = Integer.parseInt(args[1]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        boolean printed = false;
        try (FileChannel out =
                FileChannel.open(
                        Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                ExampleStream<?> stream =
                        (ExampleStream<?>)
                                ClassOption.cliStringToObject(line, ExampleStream.class, null);
                ((OptionHandler) stream).prepareForUse();
                if (!printed) {
                    printHeader(stream.getHeader());
                    printed = true;
                }
                write(stream, items, out);
            }
        }
    }

    private static void write(ExampleStream<?> stream, int items, FileChannel out)
            throws IOException {
        int width = stream.getHeader().numAttributes();
        ByteBuffer bytes = ByteBuffer.allocate(8 * width * items).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < items; i++) {
            Instance item = (Instance) stream.nextInstance().getData();
            for (int j = 0; j < width; j++) {
                bytes.putDouble(j == item.classIndex() ? item.classValue() : item.value(j));
            }
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static void printHeader(InstancesHeader header) {
        StringBuilder line = new StringBuilder();
        for (int j = 0; j < header.numAttributes(); j++) {
            line.append(j == 0 ? "" : " ").append(header.attribute(j).name()).append("=");
            if (header.attribute(j).isNominal()) {
                line.append(String.join(",", header.attribute(j).getAttributeValues()));
            }
        }
        System.out.println(line);
    }
}
