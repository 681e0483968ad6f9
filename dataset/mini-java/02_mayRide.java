// operator misuse, incorrect output
import java.util.*;

class Solution {
    /**
    Whether somebody may ride: from 140 cm on everybody, from 120 cm on with an adult, below that nobody.
    >>> mayRide(140, false)
    true
    >>> mayRide(125, true)
    true
     */
    public boolean mayRide(int height, boolean withAdult) {
        if (height < 120) {
        // bug: if (height <= 120) {
            return false;
        }
        return height >= 140 || withAdult;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.mayRide(140, false),
                s.mayRide(125, true),
                !s.mayRide(125, false),
                s.mayRide(119, true) == false,
                s.mayRide(120, true) == true
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
