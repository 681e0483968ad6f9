// value misuse, incorrect output
import java.util.*;

class Solution {
    /**
    A card number with stars in place of all digits but the last four; spaces stay.
    >>> maskedCard("1234 5678")
    "**** 5678"
     */
    public String maskedCard(String number) {
        char[] signs = number.toCharArray();
        int seen = 0;
        for (int i = signs.length - 1; i >= 0; i--) {
        // bug: for (int i = signs.length - 1; i >= 1; i--) {
            if (signs[i] == ' ') continue;
            seen++;
            if (seen > 4) signs[i] = '*';
        }
        return new String(signs);
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.maskedCard("1234 5678").equals("**** 5678"),
                s.maskedCard("123").equals("123"),
                s.maskedCard("12345").equals("*2345"),
                s.maskedCard("").equals(""),
                s.maskedCard("1 2 3 4 5 6").equals("* * 3 4 5 6")
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
