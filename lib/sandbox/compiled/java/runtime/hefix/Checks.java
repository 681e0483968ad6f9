package hefix;

import java.util.ArrayList;
import java.util.List;

/** What the tests compared, in order: calls, the values wanted of them, and whether the comparison held. */
final class Checks {
    static final class Check {
        final String call;
        final String actual;
        String expected;
        int line;

        Check(String call, String actual) {
            this.call = call;
            this.actual = actual;
        }
    }

    private static final int MAX_FAILED = 1;

    private final List<Check> failed = new ArrayList<>();
    private Check last;

    void returned(String call, String actual, int line) {
        last = new Check(call, actual);
        last.line = line;
    }

    void expected(Object value) {
        if (last != null && last.expected == null) last.expected = Show.value(value);
    }

    void checked(int line, boolean held, String wanted) {
        if (!held && last != null && failed.size() < MAX_FAILED) {
            last.line = line;
            if (last.expected == null) last.expected = wanted;
            failed.add(last);
        }
    }

    /** The comparison that most probably failed the tests; null if there was no call. */
    Check culprit() {
        return failed.isEmpty() ? last : failed.get(0);
    }

    boolean hasFailed() {
        return !failed.isEmpty();
    }
}
