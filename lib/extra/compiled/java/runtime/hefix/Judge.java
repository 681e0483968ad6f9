package hefix;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.IdentityHashMap;
import java.util.Map;

/** Runs the tests of an execution and decides. Calls of the stub are sent to the candidate. */
public final class Judge {
    private static final long STACK_BYTES = 16 << 20;

    private static Line line;
    private static String name;
    private static Type result;
    private static Type[] parameters;
    private static Checks checks;
    private static Map<Object, Integer> instances;
    /** What the candidate threw, by the exception that the tests get for it. */
    private static Map<Throwable, Report> thrown;
    private static boolean called;
    /** Whether the tests can only fail by assertions, and whether they have reached one. */
    private static boolean mustAssert;
    private static volatile boolean reached;
    private static volatile Throwable uncaught;
    /** Whether comparisons are counted instead of judged, after a verdict: there is none then. */
    private static boolean counting;

    private Judge() {}

    /** Returns whether nothing of the tests is left running. */
    static boolean run(Line candidate, Classes classes, String main, String stub, String tested, boolean counts) throws InterruptedException {
        line = candidate;
        name = tested;
        result = null;
        parameters = null;
        checks = new Checks();
        instances = new IdentityHashMap<>();
        thrown = new IdentityHashMap<>();
        called = false;
        mustAssert = false;
        reached = false;
        uncaught = null;
        counting = counts;
        new Report("started").send();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught = error);
        ThreadGroup group = new ThreadGroup("tests");
        Thread tests = new Thread(group, () -> callMain(classes, main, stub), "main", STACK_BYTES);
        tests.start();
        tests.join();
        awaitThreads(group);
        (counting ? checks.counted(uncaught != null) : decide(uncaught)).send();
        return group.activeCount() == 0;
    }

    private static void callMain(Classes classes, String main, String stub) {
        try {
            for (Method method : classes.loadClass(stub).getDeclaredMethods())
                if (method.getName().equals("hefixMustAssert")) mustAssert = true;
                else if (method.getName().equals("hefixSignature")) {
                    result = method.getGenericReturnType();
                    parameters = method.getGenericParameterTypes();
                }
            Method method = classes.loadClass(main).getDeclaredMethod("main", String[].class);
            method.setAccessible(true);
            if (!Modifier.isStatic(method.getModifiers())) throw new NoSuchMethodException(main + ".main is not static");
            method.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException error) {
            uncaught = error.getCause();
        } catch (Throwable error) {
            uncaught = error;
        }
    }

    /** Java ends when all threads of the tests have ended, and theirs may fail after main has returned. */
    private static void awaitThreads(ThreadGroup group) throws InterruptedException {
        Thread[] threads = new Thread[group.activeCount() + 16];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++) if (!threads[i].isDaemon()) threads[i].join();
    }

    /** What the stub does with a call. */
    public static synchronized Object call(Object instance, Object[] arguments) {
        called = true;
        int at = lineOf(new Throwable());
        String shown = Show.call(name, arguments);
        Shared shared = new Shared();
        try {
            Encoder request = new Encoder(shared);
            request.number(instance == null ? 0 : instances.computeIfAbsent(instance, key -> instances.size() + 1));
            for (Object argument : arguments) send(request, argument);
            line.send(request.bytes());
        } catch (IOException error) {
            end("lost", shown, at, "");
        }
        try {
            Decoder reply = new Decoder(shared, line.receive());
            switch (reply.octet()) {
                case 0 -> {
                    Object value = reply.value(result);
                    for (Type parameter : parameters) reply.value(parameter);
                    reply.end();
                    checks.returned(shown, result == void.class ? "nothing" : Show.value(value), at);
                    return value;
                }
                case 1 -> throw raised(reply, shown, at);
                case 2 -> end("not-serializable", shown, at, reply.text());
                default -> end("not-serializable", shown, at, "a message that cannot be read");
            }
        } catch (IOException error) {
            end("lost", shown, at, "");
        } catch (Refused refused) {
            end("not-serializable", shown, at, refused.getMessage());
        }
        throw new AssertionError();
    }

    private static void send(Encoder request, Object argument) {
        try {
            request.value(argument);
            if (request.size() > Line.MAX_BYTES) throw new Refused("a value of more than 16 MiB");
        } catch (Refused refused) {
            end("invalid", "", 0, "call " + name + " with " + refused.getMessage() + ", which cannot be sent");
        }
    }

    private static RuntimeException raised(Decoder reply, String shown, int at) {
        Report report = new Report("raised");
        String type = reply.text();
        report.type = type.substring(type.lastIndexOf('.') + 1);
        report.message = reply.text();
        report.exceptionLine = reply.number();
        reply.end();
        report.call = shown;
        report.line = at;
        Throwable error = Exceptions.of(type, report.message);
        thrown.put(error, report);
        throw Judge.<RuntimeException>unchecked(error);
    }

    /** The stub need not declare what the candidate throws. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable error) throws T {
        throw (T) error;
    }

    private static void end(String kind, String shown, int at, String message) {
        if (counting) checks.counted(true).end();
        Report report = new Report(kind);
        report.call = shown;
        report.line = at;
        report.message = message;
        report.end();
    }

    /** What tests want a call to return; code around the tests' own. */
    public static <T> T expected(T value) {
        checks.expected(value);
        return value;
    }

    public static boolean expected(boolean value) {
        checks.expected(value);
        return value;
    }

    public static int expected(int value) {
        checks.expected(value);
        return value;
    }

    public static long expected(long value) {
        checks.expected(value);
        return value;
    }

    public static double expected(double value) {
        checks.expected(value);
        return value;
    }

    public static float expected(float value) {
        checks.expected(value);
        return value;
    }

    public static char expected(char value) {
        checks.expected(value);
        return value;
    }

    /** The condition of an assertion. */
    public static boolean reached(boolean held) {
        reached = true;
        return held;
    }

    /** A comparison in line `at` of the tests; `wanted` is what they say of the call. */
    public static boolean check(int at, String wanted, boolean held) {
        // The tests go on as if it held.
        if (counting) return checks.count(at, held);
        checks.checked(at, held, wanted);
        return held;
    }

    /** What is no comparison. */
    public static <T> T check(int at, String wanted, T value) {
        if (counting) checks.count(at, !Boolean.FALSE.equals(value));
        if (Boolean.FALSE.equals(value)) checks.checked(at, false, wanted);
        return value;
    }

    private static synchronized Report decide(Throwable error) {
        Throwable cause = error;
        while (cause != null && !thrown.containsKey(cause) && cause instanceof ExceptionInInitializerError) cause = cause.getCause();
        for (Throwable inner = cause; inner != null; inner = inner.getCause())
            if (thrown.containsKey(inner)) return thrown.get(inner);
        if (cause instanceof OutOfMemoryError) Runtime.getRuntime().halt(137);
        if (cause == null) {
            boolean empty = called && mustAssert && !reached;
            Report report = new Report(!called ? "invalid" : empty ? "failed" : "passed");
            if (!called) report.message = "never call " + name;
            if (empty) report.message = "The tests ended without reaching one of their assertions.";
            return report;
        }
        int at = lineOf(cause);
        if (!(cause instanceof AssertionError)) {
            Report report = new Report("raised");
            report.line = at;
            report.type = cause.getClass().getSimpleName();
            report.message = cause.getMessage() == null ? "" : cause.getMessage();
            return report;
        }
        return failed(cause, at);
    }

    private static Report failed(Throwable error, int at) {
        Report report = new Report("failed");
        Checks.Check check = checks.culprit();
        report.line = at;
        if (check != null) {
            report.line = checks.hasFailed() ? check.line : at;
            report.call = check.call;
            report.actual = check.actual;
            report.expected = check.expected == null ? "" : check.expected;
        }
        String said = error.getMessage() == null ? "An assertion failed." : error.getMessage();
        report.message = check == null || check.expected != null ? said : said.replaceFirst("\\.?$", ": ") + check.call + " returned " + check.actual + ".";
        return report;
    }

    private static int lineOf(Throwable error) {
        for (StackTraceElement frame : error.getStackTrace())
            if ("tests.java".equals(frame.getFileName())) return frame.getLineNumber();
        return 0;
    }
}
