// value misuse, incorrect output
import java.util.*;

class Solution {
    /**
    How many moves of a lift it takes until it is below floor 0 for the first time, starting there; -1 if it never is.
    >>> stepsToBasement(new int[] {1, -2, 5})
    2
    >>> stepsToBasement(new int[] {1, 1})
    -1
     */
    public int stepsToBasement(int[] moves) {
        int floor = 0;
        for (int i = 0; i < moves.length; i++) {
            floor += moves[i];
            if (floor < 0) {
                return i + 1;
                // bug: return i;
            }
        }
        return -1;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.stepsToBasement(new int[] {1, -2, 5}) == 2,
                s.stepsToBasement(new int[] {1, 1}) == -1,
                s.stepsToBasement(new int[] {-1}) == 1,
                s.stepsToBasement(new int[] {2, -2, -1}) == 3,
                s.stepsToBasement(new int[0]) == -1
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
