// operator misuse, incorrect output
import java.util.*;

class Solution {
    /**
    How many of a hotel's rooms are free in a night, given the first nights of all bookings and their days of departure,
    which are no nights any more.
    >>> freeRooms(3, new int[] {1, 2}, new int[] {4, 3}, 2)
    1
     */
    public int freeRooms(int rooms, int[] arrivals, int[] departures, int night) {
        int taken = 0;
        for (int i = 0; i < arrivals.length; i++) {
            if (arrivals[i] <= night && night < departures[i]) {
            // bug: if (arrivals[i] <= night || night < departures[i]) {
                taken++;
            }
        }
        return rooms - taken;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.freeRooms(3, new int[] {1, 2}, new int[] {4, 3}, 2) == 1,
                s.freeRooms(3, new int[] {1, 2}, new int[] {4, 3}, 3) == 2,
                s.freeRooms(2, new int[0], new int[0], 1) == 2,
                s.freeRooms(1, new int[] {5}, new int[] {6}, 6) == 1,
                s.freeRooms(1, new int[] {5}, new int[] {6}, 5) == 0
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
