// function misuse, incorrect output
#include <algorithm>
#include <vector>
using namespace std;
/*
The values, but the least one in place of smaller ones and the greatest one in place of greater ones.
>>> clampAll({-5, 3, 12}, 0, 10)
{0, 3, 10}
*/
vector<int> clampAll(vector<int> values, int least, int greatest) {
    for (int &value : values) {
        value = min(max(value, least), greatest);
        // bug: value = max(max(value, least), greatest);
    }
    return values;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((clampAll({-5, 3, 12}, 0, 10) == vector<int>{0, 3, 10}));
    assert(clampAll({}, 1, 2).empty());
    assert((clampAll({1, 1, 2}, 1, 2) == vector<int>{1, 1, 2}));
    assert((clampAll({7, -7}, 0, 0) == vector<int>{0, 0}));
}
