// function misuse, incorrect output
import java.util.*;

class Solution {
    /**
    The first letters of all words, in upper case, each with a dot.
    >>> initialsOf("ada king lovelace")
    "A.K.L."
     */
    public String initialsOf(String name) {
        StringBuilder initials = new StringBuilder();
        for (String word : name.trim().split("\\s+")) {
            if (word.isEmpty()) continue;
            initials.append(Character.toUpperCase(word.charAt(0))).append('.');
            // bug: initials.append(Character.toLowerCase(word.charAt(0))).append('.');
        }
        return initials.toString();
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.initialsOf("ada king lovelace").equals("A.K.L."),
                s.initialsOf("").equals(""),
                s.initialsOf("  grace   hopper ").equals("G.H."),
                s.initialsOf("Bo").equals("B."),
                s.initialsOf("x y z").equals("X.Y.Z.")
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
