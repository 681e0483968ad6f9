// operator misuse, incorrect output
#include <vector>
using namespace std;
/*
The fewest coins of 50, 20, 10, 5, 2 and 1 cents that make an amount, the greatest first.
>>> coinsBack(73)
{50, 20, 2, 1}
*/
vector<int> coinsBack(int cents) {
    vector<int> coins;
    for (int coin : {50, 20, 10, 5, 2, 1}) {
        while (cents >= coin) {
            // bug: while (cents > coin) {
            coins.push_back(coin);
            cents -= coin;
        }
    }
    return coins;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((coinsBack(73) == vector<int>{50, 20, 2, 1}));
    assert(coinsBack(0).empty());
    assert((coinsBack(40) == vector<int>{20, 20}));
    assert((coinsBack(9) == vector<int>{5, 2, 2}));
    assert((coinsBack(50) == vector<int>{50}));
}
