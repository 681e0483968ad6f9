// excess logic, incorrect output
import java.util.*;

class Solution {
    /**
    How often each letter occurs, upper and lower case as one; all else does not count.
    >>> lettersCounted("Abba!")
    Map.of('a', 2, 'b', 2)
     */
    public Map<Character, Integer> lettersCounted(String text) {
        Map<Character, Integer> counts = new TreeMap<>();
        for (char letter : text.toCharArray()) {
            if (Character.isLetter(letter)) {
            // bug: if (Character.isLetter(letter) && letter != ' ' && letter < 'o') {
                counts.merge(Character.toLowerCase(letter), 1, Integer::sum);
            }
        }
        return counts;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.lettersCounted("Abba!").equals(Map.of('a', 2, 'b', 2)),
                s.lettersCounted("").isEmpty(),
                s.lettersCounted("x1X2").equals(Map.of('x', 2)),
                s.lettersCounted("one two").get('o') == 2,
                s.lettersCounted("?!").size() == 0
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
