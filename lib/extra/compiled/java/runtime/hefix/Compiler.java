package hefix;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles one program after the other, in memory. Request: frames with the number of files, then the name and text
 * of each. Reply: "ok" and the classes, or "failed", file, line and message. After running out of memory or stack it
 * ends, since nothing is certain about a compiler's state then.
 */
public final class Compiler {
    private static final long STACK_BYTES = 64 << 20;

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final Memory files;
    private final List<String> options = List.of(
            "-proc:none", "-nowarn", "-Xlint:none", "-implicit:none", "-g:source,lines", "-Xmaxerrs", "1");

    private Compiler() throws IOException {
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8);
        files = new Memory(manager, new Library(System.getProperty("java.class.path")));
    }

    public static void main(String[] words) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        new Compiler().serve(System.in, out);
    }

    private void serve(InputStream in, PrintStream out) throws Exception {
        for (byte[] head = Line.frame(in); head != null; head = Line.frame(in)) {
            List<Source> sources = new ArrayList<>();
            for (int left = Integer.parseInt(text(head)); left > 0; left--) sources.add(new Source(text(Line.frame(in)), text(Line.frame(in))));
            Throwable[] broken = {null};
            Thread work = new Thread(null, () -> {
                try {
                    reply(out, compile(sources));
                } catch (Throwable error) {
                    broken[0] = error;
                }
            }, "compile", STACK_BYTES);
            work.start();
            work.join();
            if (broken[0] != null) {
                boolean isMemory = broken[0] instanceof OutOfMemoryError;
                reply(out, List.of(bytes("failed"), bytes(""), bytes("1"), bytes("The compiler ran out of " + (isMemory ? "memory" : "stack") + ".")));
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private List<byte[]> compile(List<Source> sources) {
        files.classes.clear();
        DiagnosticCollector<JavaFileObject> complaints = new DiagnosticCollector<>();
        boolean done = compiler.getTask(Writer.nullWriter(), files, complaints, options, null, sources).call();
        if (done) return List.of(bytes("ok"), files.bundle());
        for (Diagnostic<? extends JavaFileObject> complaint : complaints.getDiagnostics())
            if (complaint.getKind() == Diagnostic.Kind.ERROR) {
                String file = complaint.getSource() == null ? "" : ((Source) complaint.getSource()).name;
                return List.of(bytes("failed"), bytes(file), bytes(Long.toString(Math.max(1, complaint.getLineNumber()))),
                        bytes(complaint.getMessage(Locale.ENGLISH)));
            }
        // The compiler caught its own exhaustion.
        throw new StackOverflowError();
    }

    private static void reply(PrintStream out, List<byte[]> texts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] text : texts) whole.writeBytes(Line.framed(text));
        out.writeBytes(whole.toByteArray());
        out.flush();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Any class may be in any file. */
    private static final class Source extends SimpleJavaFileObject {
        final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("memory:///" + name), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String className, Kind kind) {
            return true;
        }
    }

    private static final class Memory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();

        private final Library library;

        Memory(StandardJavaFileManager manager, Library library) {
            super(manager);
            this.library = library;
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String name, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
            if (location != StandardLocation.CLASS_PATH) return super.list(location, name, kinds, recurse);
            return name.equals("hefix") && kinds.contains(JavaFileObject.Kind.CLASS) ? library.classes : List.of();
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Library.Found found ? found.binaryName : super.inferBinaryName(location, file);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            classes.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        /** What Classes reads. */
        byte[] bundle() {
            try {
                ByteArrayOutputStream whole = new ByteArrayOutputStream();
                DataOutputStream out = new DataOutputStream(whole);
                out.writeInt(classes.size());
                for (Map.Entry<String, ByteArrayOutputStream> found : classes.entrySet()) {
                    out.writeUTF(found.getKey());
                    out.writeInt(found.getValue().size());
                    found.getValue().writeTo(out);
                }
                return whole.toByteArray();
            } catch (IOException error) {
                throw new AssertionError(error);
            }
        }
    }
}
