// variable misuse, incorrect output
import java.util.*;

class Solution {
    /**
    The values, but the least one in place of smaller ones and the greatest one in place of greater ones.
    >>> clampAll(Arrays.asList(-5, 3, 12), 0, 10)
    Arrays.asList(0, 3, 10)
     */
    public List<Integer> clampAll(List<Integer> values, int least, int greatest) {
        List<Integer> clamped = new ArrayList<>();
        for (int value : values) {
            clamped.add(Math.min(Math.max(value, least), greatest));
            // bug: clamped.add(Math.min(Math.max(value, least), value));
        }
        return clamped;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.clampAll(Arrays.asList(-5, 3, 12), 0, 10).equals(Arrays.asList(0, 3, 10)),
                s.clampAll(List.of(), 1, 2).isEmpty(),
                s.clampAll(Arrays.asList(1, 1, 2), 1, 2).equals(Arrays.asList(1, 1, 2)),
                s.clampAll(Arrays.asList(7, -7), 0, 0).equals(Arrays.asList(0, 0)),
                s.clampAll(Arrays.asList(11), 0, 10).equals(Arrays.asList(10))
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
