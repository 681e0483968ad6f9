// value misuse, incorrect output
import java.util.*;

class Solution {
    /**
    The seconds that a playlist takes with a pause between two tracks, but not after the last one.
    >>> playlistLength(Arrays.asList(200, 100), 3)
    303
    >>> playlistLength(new ArrayList<>(), 3)
    0
     */
    public int playlistLength(List<Integer> tracks, int pause) {
        int total = 0;
        for (int i = 0; i < tracks.size(); i++) {
            total += tracks.get(i);
            if (i > 0) {
            // bug: if (i > 1) {
                total += pause;
            }
        }
        return total;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.playlistLength(Arrays.asList(200, 100), 3) == 303,
                s.playlistLength(new ArrayList<>(), 3) == 0,
                s.playlistLength(Arrays.asList(60), 10) == 60,
                s.playlistLength(Arrays.asList(10, 20, 30), 5) == 70,
                s.playlistLength(Arrays.asList(0, 0), 2) == 2
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
