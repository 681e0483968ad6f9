// excess logic, incorrect output
import java.util.*;

class Solution {
    /**
    The positions of every word of a text, counted from 0.
    >>> wordPositions("go stop go")
    Map.of("go", Arrays.asList(0, 2), "stop", Arrays.asList(1))
     */
    public Map<String, List<Integer>> wordPositions(String text) {
        Map<String, List<Integer>> positions = new HashMap<>();
        int at = 0;
        for (String word : text.trim().split(" +")) {
            if (word.isEmpty()) continue;
            positions.computeIfAbsent(word, key -> new ArrayList<>()).add(at);
            at++;
            // bug adds: positions.remove("a");
        }
        return positions;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.wordPositions("go stop go").equals(Map.of("go", Arrays.asList(0, 2), "stop", Arrays.asList(1))),
                s.wordPositions("").isEmpty(),
                s.wordPositions("a a a").equals(Map.of("a", List.of(0, 1, 2))),
                s.wordPositions(" b  a ").equals(Map.of("a", List.of(1), "b", List.of(0))),
                s.wordPositions("x y").get("y").equals(List.of(1))
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
