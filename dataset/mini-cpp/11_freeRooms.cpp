// operator misuse, incorrect output
#include <utility>
#include <vector>
using namespace std;
/*
How many of a hotel's rooms are free in a night. A booking has the first night and the day of departure, which is not
a night any more.
>>> freeRooms(3, {{1, 4}, {2, 3}}, 2)
1
*/
int freeRooms(int rooms, vector<pair<int, int>> bookings, int night) {
    int taken = 0;
    for (auto [arrival, departure] : bookings) {
        if (arrival <= night && night < departure) taken++;
        // bug: if (arrival <= night && night <= departure) taken++;
    }
    return rooms - taken;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(freeRooms(3, {{1, 4}, {2, 3}}, 2) == 1);
    assert(freeRooms(3, {{1, 4}, {2, 3}}, 3) == 2);
    assert(freeRooms(2, {}, 1) == 2);
    assert(freeRooms(1, {{5, 6}}, 6) == 1);
    assert(freeRooms(1, {{5, 6}}, 5) == 0);
}
