package hefix;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;

/**
 * Runs judges one after the other. Request, on descriptor 0: frames with the descriptors of the line to the candidate
 * and of the report, the file of the tests' classes, the class with their main method, the class of the stub, the
 * tested function's name, and `counts` if assertions are counted instead of judged. A byte on descriptor 1 says that the next one can begin. Each has its own class loader; one
 * that leaves anything running, or a hook for Java's shutdown, ends the process.
 */
public final class Judges {
    private Judges() {}

    public static void main(String[] words) throws Exception {
        InputStream requests = System.in;
        FileOutputStream ready = new FileOutputStream(FileDescriptor.out);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        PrintStream complaints = System.err;
        Properties properties = (Properties) System.getProperties().clone();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        // A jail has no /dev/fd.
        Constructor<FileDescriptor> descriptor = FileDescriptor.class.getDeclaredConstructor(int.class);
        descriptor.setAccessible(true);
        Field field = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        field.setAccessible(true);
        Map<?, ?> hooks = (Map<?, ?>) field.get(null);
        int ownHooks = hooks.size();
        String[] request;
        while ((request = next(requests)) != null) {
            System.setIn(InputStream.nullInputStream());
            System.setOut(nowhere);
            System.setErr(complaints);
            System.setProperties((Properties) properties.clone());
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
            Line line = new Line(descriptor.newInstance(Integer.parseInt(request[0])));
            Report.open(descriptor.newInstance(Integer.parseInt(request[1])));
            Classes classes = new Classes(request[2]);
            classes.setDefaultAssertionStatus(true);
            boolean isDone = Judge.run(line, classes, request[3], request[4], request[5], request[6].equals("counts"));
            // Hooks would run when later tests end Java.
            if (!isDone || hooks.size() != ownHooks) Runtime.getRuntime().halt(0);
            Report.close();
            line.close();
            ready.write('.');
        }
    }

    private static String[] next(InputStream requests) throws IOException {
        String[] request = new String[7];
        for (int i = 0; i < request.length; i++) {
            byte[] text = Line.frame(requests);
            if (text == null) return null;
            request[i] = new String(text, StandardCharsets.UTF_8);
        }
        return request;
    }
}
