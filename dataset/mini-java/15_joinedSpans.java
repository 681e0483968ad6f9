// function misuse, incorrect output
import java.util.*;

class Solution {
    /**
    Join spans that overlap or touch; the result is in order.
    >>> joinedSpans(Arrays.asList(Arrays.asList(5, 6), Arrays.asList(1, 3), Arrays.asList(2, 4)))
    Arrays.asList(Arrays.asList(1, 4), Arrays.asList(5, 6))
     */
    public List<List<Integer>> joinedSpans(List<List<Integer>> spans) {
        List<List<Integer>> sorted = new ArrayList<>(spans);
        sorted.sort(Comparator.comparing((List<Integer> span) -> span.get(0)));
        LinkedList<List<Integer>> joined = new LinkedList<>();
        for (List<Integer> span : sorted) {
            if (joined.isEmpty() || joined.getLast().get(1) < span.get(0)) {
                joined.add(new ArrayList<>(span));
            } else {
                joined.getLast().set(1, Math.max(joined.getLast().get(1), span.get(1)));
                // bug: joined.getFirst().set(1, Math.max(joined.getLast().get(1), span.get(1)));
            }
        }
        return joined;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.joinedSpans(Arrays.asList(Arrays.asList(5, 6), Arrays.asList(1, 3), Arrays.asList(2, 4))).equals(Arrays.asList(Arrays.asList(1, 4), Arrays.asList(5, 6))),
                s.joinedSpans(List.of()).isEmpty(),
                s.joinedSpans(List.of(List.of(1, 9), List.of(2, 3))).equals(List.of(List.of(1, 9))),
                s.joinedSpans(List.of(List.of(1, 2), List.of(2, 5))).equals(List.of(List.of(1, 5))),
                s.joinedSpans(List.of(List.of(1, 2), List.of(4, 6), List.of(5, 7))).equals(List.of(List.of(1, 2), List.of(4, 7)))
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
