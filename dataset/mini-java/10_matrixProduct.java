// variable misuse, incorrect output
import java.util.*;

class Solution {
    /**
    The product of two matrices, given as arrays of rows; the first has as many columns as the second has rows.
    >>> matrixProduct(new int[][] {{1, 2}, {3, 4}}, new int[][] {{0, 1}, {1, 0}})[0][1]
    1
     */
    public int[][] matrixProduct(int[][] left, int[][] right) {
        int[][] product = new int[left.length][right[0].length];
        for (int row = 0; row < left.length; row++) {
            for (int column = 0; column < right[0].length; column++) {
                for (int i = 0; i < right.length; i++) {
                    product[row][column] += left[row][i] * right[i][column];
                    // bug: product[row][column] += left[row][i] * right[i][row];
                }
            }
        }
        return product;
    }
}

public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
                s.matrixProduct(new int[][] {{1, 2}, {3, 4}}, new int[][] {{0, 1}, {1, 0}})[0][1] == 1,
                Arrays.deepEquals(s.matrixProduct(new int[][] {{2}}, new int[][] {{3}}), new int[][] {{6}}),
                Arrays.deepEquals(s.matrixProduct(new int[][] {{1, 2, 3}}, new int[][] {{1}, {2}, {3}}), new int[][] {{14}}),
                Arrays.deepEquals(s.matrixProduct(new int[][] {{1}, {2}}, new int[][] {{3, 4}}), new int[][] {{3, 4}, {6, 8}}),
                s.matrixProduct(new int[][] {{1, 1}, {0, 1}}, new int[][] {{1, 1}, {0, 1}})[0][1] == 2
        );
        if (correct.contains(false)) {
            throw new AssertionError();
        }
    }
}
