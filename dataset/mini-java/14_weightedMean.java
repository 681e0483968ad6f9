// missing logic, incorrect output
import java.util.*;

class Solution {
    /**
    The mean of values, each counted with its weight; 0 if all weights are 0.
    >>> weightedMean(Arrays.asList(1.0, 3.0), Arrays.asList(1.0, 3.0))
    2.5
     */
    public double weightedMean(List<Double> values, List<Double> weights) {
        double sum = 0;
        double total = 0;
        for (int i = 0; i < values.size(); i++) {
            sum += values.get(i) * weights.get(i);
            total += weights.get(i);
        }
        return total == 0 ? 0 : sum / total;
        // bug: return sum / total;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                Math.abs(s.weightedMean(Arrays.asList(1.0, 3.0), Arrays.asList(1.0, 3.0)) - 2.5) < 1e-9,
                s.weightedMean(new ArrayList<>(), new ArrayList<>()) == 0,
                s.weightedMean(Arrays.asList(5.0, 7.0), Arrays.asList(0.0, 0.0)) == 0,
                s.weightedMean(Arrays.asList(2.0, 4.0), Arrays.asList(0.5, 0.5)) == 3,
                s.weightedMean(Arrays.asList(2.0), Arrays.asList(0.1)) == 2.0
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
