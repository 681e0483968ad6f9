package hefix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
    private static final int MAX_COUNTED = 1000;
    private static final int MAX_LINES = 10;

    private final List<Check> failed = new ArrayList<>();
    private Check last;
    private int held;
    private int missed;
    /** Lines of comparisons that do not hold. */
    private final Set<Integer> lines = new LinkedHashSet<>();

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

    /** Returns true. */
    synchronized boolean count(int line, boolean holds) {
        if (holds) held++;
        else missed++;
        if (!holds && lines.size() < MAX_LINES) lines.add(line);
        if (held + missed >= MAX_COUNTED) counted(true).end();
        return true;
    }

    /** The counts as a report: how many hold, how many do not, and lines of these. */
    Report counted(boolean isPartial) {
        Report report = new Report("counted");
        StringBuilder text = new StringBuilder(held + " " + missed);
        for (int line : lines) text.append(' ').append(line);
        report.message = text.toString();
        report.type = isPartial ? "partial" : "";
        return report;
    }

    /** The comparison that most probably failed the tests; null if there was no call. */
    Check culprit() {
        return failed.isEmpty() ? last : failed.get(0);
    }

    boolean hasFailed() {
        return !failed.isEmpty();
    }
}
