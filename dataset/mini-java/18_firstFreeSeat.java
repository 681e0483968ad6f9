// variable misuse, incorrect output
import java.util.*;

class Solution {
    /**
    The lowest seat from 1 to the number of seats that is not taken, or nothing if all are.
    >>> firstFreeSeat(Arrays.asList(1, 2, 4), 5)
    Optional.of(3)
     */
    public Optional<Integer> firstFreeSeat(List<Integer> taken, int seats) {
        Set<Integer> occupied = new HashSet<>(taken);
        for (int seat = 1; seat <= seats; seat++) {
            if (!occupied.contains(seat)) {
                return Optional.of(seat);
                // bug: return Optional.of(seats);
            }
        }
        return Optional.empty();
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.firstFreeSeat(Arrays.asList(1, 2, 4), 5).equals(Optional.of(3)),
                s.firstFreeSeat(new ArrayList<>(), 2).get() == 1,
                s.firstFreeSeat(Arrays.asList(2, 1), 2).isEmpty(),
                !s.firstFreeSeat(new ArrayList<>(), 0).isPresent(),
                s.firstFreeSeat(Arrays.asList(1, 2, 3), 9).equals(Optional.of(4))
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
