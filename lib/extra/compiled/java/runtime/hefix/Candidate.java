package hefix;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Serves calls to a candidate, whose classes are in the file of the first argument. */
public final class Candidate {
    private static final long STACK_BYTES = 16 << 20;
    private static final int OUT_OF_MEMORY = 3;

    private final Line line = new Line(FileDescriptor.in);
    private final Map<Integer, Object> instances = new HashMap<>();
    private final String file;
    private Entry entry;
    private Type[] types;

    private Candidate(String file) {
        this.file = file;
    }

    public static void main(String[] words) {
        System.setIn(InputStream.nullInputStream());
        new Thread(null, new Candidate(words[0])::serve, "main", STACK_BYTES).start();
    }

    private void serve() {
        try {
            while (true) {
                byte[] request = line.receive();
                line.send(answer(request));
            }
        } catch (IOException error) {
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private byte[] answer(byte[] request) {
        try {
            Shared shared = new Shared();
            if (entry == null) load();
            Decoder given = new Decoder(shared, request);
            int instance = given.number();
            Object[] arguments = new Object[types.length];
            for (int i = 0; i < arguments.length; i++) arguments[i] = given.value(types[i]);
            Object[] kept = arguments.clone();
            if (!instances.containsKey(instance)) instances.put(instance, entry.create());
            Object result = entry.call(instances.get(instance), arguments);
            return reply(shared, result, kept);
        } catch (OutOfMemoryError error) {
            System.err.println("hefix: out of memory");
            Runtime.getRuntime().halt(OUT_OF_MEMORY);
            throw error;
        } catch (Throwable error) {
            return raised(error instanceof ExceptionInInitializerError && error.getCause() != null ? error.getCause() : error);
        }
    }

    private void load() throws Throwable {
        Class<?> serve = new Classes(file).loadClass("HefixServe");
        for (Method method : serve.getDeclaredMethods())
            // The first parameter is the instance.
            if (method.getName().equals("hefixCall")) {
                Type[] all = method.getGenericParameterTypes();
                types = Arrays.copyOfRange(all, 1, all.length);
            }
        entry = (Entry) serve.getDeclaredConstructor().newInstance();
    }

    private static byte[] reply(Shared shared, Object result, Object[] arguments) {
        try {
            Encoder reply = new Encoder(shared);
            reply.octet(0);
            reply.value(result);
            for (Object argument : arguments) reply.value(argument);
            if (reply.size() <= Line.MAX_BYTES) return reply.bytes();
            return refusal("a value of more than 16 MiB");
        } catch (Refused refused) {
            return refusal(refused.getMessage());
        }
    }

    private static byte[] refusal(String what) {
        Encoder reply = new Encoder(new Shared());
        reply.octet(2);
        reply.text(what);
        return reply.bytes();
    }

    private static byte[] raised(Throwable error) {
        Encoder reply = new Encoder(new Shared());
        reply.octet(1);
        reply.text(error.getClass().getName());
        reply.text(messageOf(error));
        reply.number(lineOf(error));
        return reply.bytes();
    }

    /** An exception may be the candidate's own class. */
    private static String messageOf(Throwable error) {
        try {
            String message = error.getMessage();
            return message == null ? "" : message.substring(0, Math.min(message.length(), 2000));
        } catch (Throwable again) {
            return "";
        }
    }

    private static int lineOf(Throwable error) {
        try {
            for (StackTraceElement frame : error.getStackTrace())
                if ("candidate.java".equals(frame.getFileName())) return Math.max(frame.getLineNumber(), 0);
        } catch (Throwable again) {
            return 0;
        }
        return 0;
    }
}
