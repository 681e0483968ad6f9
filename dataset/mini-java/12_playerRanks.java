// missing logic, incorrect output
import java.util.*;

class Solution {
    /**
    The rank of each player by points, 1 for the most. Equal points share the better rank, and the next ranks are skipped.
    >>> playerRanks(Arrays.asList(10, 30, 10, 20))
    Arrays.asList(3, 1, 3, 2)
     */
    public List<Integer> playerRanks(List<Integer> points) {
        List<Integer> ranks = new ArrayList<>();
        for (int own : points) {
            long better = points.stream().filter(other -> other > own).count();
            // bug: long better = points.stream().count();
            ranks.add((int) better + 1);
        }
        return ranks;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.playerRanks(Arrays.asList(10, 30, 10, 20)).equals(Arrays.asList(3, 1, 3, 2)),
                s.playerRanks(new ArrayList<>()).isEmpty(),
                s.playerRanks(Arrays.asList(7, 7)).equals(Arrays.asList(1, 1)),
                s.playerRanks(Arrays.asList(1, 2, 3)).equals(Arrays.asList(3, 2, 1)),
                s.playerRanks(Arrays.asList(5)).equals(Arrays.asList(1))
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
