// excess logic, incorrect output
import java.util.*;

class Solution {
    /**
    The fewest coins of 50, 20, 10, 5, 2 and 1 cents that make an amount, the greatest first.
    >>> coinsBack(73)
    Arrays.asList(50, 20, 2, 1)
     */
    public List<Integer> coinsBack(int cents) {
        List<Integer> coins = new ArrayList<>();
        for (int coin : new int[] {50, 20, 10, 5, 2, 1}) {
            while (cents >= coin) {
                coins.add(coin);
                cents -= coin;
                // bug adds: cents--;
            }
        }
        return coins;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.coinsBack(73).equals(Arrays.asList(50, 20, 2, 1)),
                s.coinsBack(0).isEmpty(),
                s.coinsBack(40).equals(Arrays.asList(20, 20)),
                s.coinsBack(9).equals(Arrays.asList(5, 2, 2)),
                s.coinsBack(50).equals(Arrays.asList(50))
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
