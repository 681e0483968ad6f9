// function misuse, incorrect output
#include <algorithm>
#include <vector>
using namespace std;
/*
Change values in place so that none is below a least or above a greatest one.
>>> clampAll(values, 0, 10)
*/
void clampAll(vector<int> &values, int least, int greatest) {
    for (int &value : values) {
        value = min(max(value, least), greatest);
        // bug: value = max(max(value, least), greatest);
    }
}

#undef NDEBUG
#include <assert.h>
int main() {
    vector<int> values = {-5, 3, 12};
    clampAll(values, 0, 10);
    assert((values == vector<int>{0, 3, 10}));
    vector<int> none;
    clampAll(none, 1, 2);
    assert(none.empty());
    vector<int> same = {1, 1, 2};
    clampAll(same, 1, 2);
    assert((same == vector<int>{1, 1, 2}));
}
