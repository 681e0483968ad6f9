// function misuse, incorrect output
import java.util.*;

class Solution {
    /**
    How many pages hold some items; there is always one page, even without items.
    >>> pagesFor(21, 10)
    3
    >>> pagesFor(0, 10)
    1
     */
    public int pagesFor(int items, int perPage) {
        int pages = (items + perPage - 1) / perPage;
        return Math.max(pages, 1);
        // bug: return Math.min(pages, 1);
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.pagesFor(21, 10) == 3,
                s.pagesFor(0, 10) == 1,
                s.pagesFor(20, 10) == 2,
                s.pagesFor(1, 10) == 1,
                s.pagesFor(29, 10) == 3
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
