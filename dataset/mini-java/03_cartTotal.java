// missing logic, incorrect output
import java.util.*;

class Solution {
    /**
    The price of a cart in cents, from the prices and quantities of its items. Orders from 5000 cents on have no
    shipping, others add 490; an empty cart costs nothing.
    >>> cartTotal(Arrays.asList(250), Arrays.asList(2))
    990
    >>> cartTotal(Arrays.asList(2500), Arrays.asList(2))
    5000
     */
    public int cartTotal(List<Integer> prices, List<Integer> quantities) {
        int total = 0;
        for (int i = 0; i < prices.size(); i++) {
            total += prices.get(i) * quantities.get(i);
            // bug: total += prices.get(i);
        }
        return total > 0 && total < 5000 ? total + 490 : total;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.cartTotal(Arrays.asList(250), Arrays.asList(2)) == 990,
                s.cartTotal(Arrays.asList(2500), Arrays.asList(2)) == 5000,
                s.cartTotal(List.of(), List.of()) == 0,
                s.cartTotal(Arrays.asList(100, 200), Arrays.asList(1, 3)) == 1190,
                s.cartTotal(List.of(4999), List.of(1)) == 5489
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
