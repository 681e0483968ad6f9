// variable misuse, incorrect output
#include <optional>
#include <set>
#include <vector>
using namespace std;
/*
The lowest seat from 1 to the number of seats that is not taken, or nothing if all are.
>>> firstFreeSeat({1, 2, 4}, 5)
3
*/
optional<int> firstFreeSeat(vector<int> taken, int seats) {
    set<int> occupied(taken.begin(), taken.end());
    for (int seat = 1; seat <= seats; seat++) {
        if (occupied.count(seat) == 0) return seat;
        // bug: if (occupied.count(seat) == 0) return seats;
    }
    return nullopt;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(firstFreeSeat({1, 2, 4}, 5) == 3);
    assert(firstFreeSeat({}, 2) == 1);
    assert(firstFreeSeat({2, 1}, 2) == nullopt);
    assert(!firstFreeSeat({}, 0).has_value());
    assert(firstFreeSeat({1, 2, 3}, 9) == 4);
}
