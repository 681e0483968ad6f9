// missing logic, incorrect output
import java.util.*;

class Solution {
    /**
    Write a whole number with a comma before every group of three digits.
    >>> groupedDigits(1234567L)
    "1,234,567"
    >>> groupedDigits(-1000L)
    "-1,000"
     */
    public String groupedDigits(long number) {
        StringBuilder text = new StringBuilder(Long.toString(Math.abs(number)));
        for (int at = text.length() - 3; at > 0; at -= 3) {
            text.insert(at, ',');
        }
        if (number < 0) text.insert(0, '-');
        // bug drops 1 line
        return text.toString();
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.groupedDigits(1234567L).equals("1,234,567"),
                s.groupedDigits(-1000L).equals("-1,000"),
                s.groupedDigits(0L).equals("0"),
                s.groupedDigits(999L).equals("999"),
                s.groupedDigits(-12L).equals("-12"),
                s.groupedDigits(9000000000L).equals("9,000,000,000")
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
