// operator misuse, incorrect output
import java.util.*;

class Solution {
    /**
    Write a number of minutes after midnight as a time of the day with two digits each. A day is over after 1440 minutes,
    and the next one begins.
    >>> clockText(425)
    "07:05"
    >>> clockText(1450)
    "00:10"
     */
    public String clockText(int minutes) {
        int hour = minutes / 60 % 24;
        // bug: int hour = minutes % 60 % 24;
        int rest = minutes % 60;
        return String.format("%02d:%02d", hour, rest);
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.clockText(425).equals("07:05"),
                s.clockText(0).equals("00:00"),
                s.clockText(1439).equals("23:59"),
                s.clockText(720).equals("12:00"),
                s.clockText(1450).equals("00:10")
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
