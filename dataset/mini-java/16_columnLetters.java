// missing logic, incorrect output
import java.util.*;

class Solution {
    /**
    The letters of a spreadsheet's column, counted from 1.
    >>> columnLetters(28)
    "AB"
     */
    public String columnLetters(int number) {
        StringBuilder letters = new StringBuilder();
        while (number > 0) {
            number--;
            letters.append((char) ('A' + number % 26));
            number /= 26;
        }
        return letters.reverse().toString();
        // bug: return letters.toString();
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.columnLetters(28).equals("AB"),
                s.columnLetters(1).equals("A"),
                s.columnLetters(26).equals("Z"),
                s.columnLetters(703).equals("AAA"),
                s.columnLetters(27).equals("AA")
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
