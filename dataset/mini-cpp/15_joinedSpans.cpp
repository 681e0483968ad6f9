// function misuse, incorrect output
#include <algorithm>
#include <utility>
#include <vector>
using namespace std;
/*
Join spans that overlap or touch; the result is in order.
>>> joinedSpans({{5, 6}, {1, 3}, {2, 4}})
{{1, 4}, {5, 6}}
*/
vector<pair<int, int>> joinedSpans(vector<pair<int, int>> spans) {
    sort(spans.begin(), spans.end());
    vector<pair<int, int>> joined;
    for (auto [start, end] : spans) {
        if (joined.empty() || joined.back().second < start) joined.push_back({start, end});
        else joined.back().second = max(joined.back().second, end);
        // bug: else joined.back().second = min(joined.back().second, end);
    }
    return joined;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((joinedSpans({{5, 6}, {1, 3}, {2, 4}}) == vector<pair<int, int>>{{1, 4}, {5, 6}}));
    assert(joinedSpans({}).empty());
    assert((joinedSpans({{1, 9}, {2, 3}}) == vector<pair<int, int>>{{1, 9}}));
    assert((joinedSpans({{1, 2}, {2, 5}}) == vector<pair<int, int>>{{1, 5}}));
}
