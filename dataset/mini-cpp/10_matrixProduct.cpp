// variable misuse, incorrect output
#include <vector>
using namespace std;
/*
The product of two matrices, given as lists of rows; the first has as many columns as the second has rows.
>>> matrixProduct({{1, 2}, {3, 4}}, {{0, 1}, {1, 0}})
{{2, 1}, {4, 3}}
*/
vector<vector<int>> matrixProduct(vector<vector<int>> left, vector<vector<int>> right) {
    vector<vector<int>> product;
    for (const auto &row : left) {
        vector<int> cells(right[0].size(), 0);
        for (size_t column = 0; column < cells.size(); column++) {
            for (size_t i = 0; i < right.size(); i++) cells[column] += row[i] * right[i][column];
            // bug: for (size_t i = 0; i < right.size(); i++) cells[column] += row[column] * right[i][column];
        }
        product.push_back(cells);
    }
    return product;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((matrixProduct({{1, 2}, {3, 4}}, {{0, 1}, {1, 0}}) == vector<vector<int>>{{2, 1}, {4, 3}}));
    assert((matrixProduct({{2}}, {{3}}) == vector<vector<int>>{{6}}));
    assert((matrixProduct({{1, 2, 3}}, {{1}, {2}, {3}}) == vector<vector<int>>{{14}}));
    assert((matrixProduct({{1}, {2}}, {{3, 4}}) == vector<vector<int>>{{3, 4}, {6, 8}}));
    assert((matrixProduct({{1, 1}, {0, 1}}, {{1, 1}, {0, 1}}) == vector<vector<int>>{{1, 2}, {0, 1}}));
}
