// missing logic, incorrect output
#include <vector>
#include <utility>
using namespace std;
/*
The price of a cart in cents, from prices and quantities. Orders from 5000 cents on have no shipping, others add 490;
an empty cart costs nothing.
>>> cartTotal({{250, 2}})
990
>>> cartTotal({{2500, 2}})
5000
*/
int cartTotal(vector<pair<int, int>> items) {
    int total = 0;
    for (auto [price, quantity] : items) total += price * quantity;
    if (total == 0) return 0;
    // bug drops 1 line
    return total < 5000 ? total + 490 : total;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(cartTotal({{250, 2}}) == 990);
    assert(cartTotal({{2500, 2}}) == 5000);
    assert(cartTotal({}) == 0);
    assert(cartTotal({{100, 1}, {200, 3}}) == 1190);
    assert(cartTotal({{4999, 1}}) == 5489);
}
