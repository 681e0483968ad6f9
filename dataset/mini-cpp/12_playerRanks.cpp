// missing logic, incorrect output
#include <vector>
using namespace std;
/*
The rank of each player by points, 1 for the most. Equal points share the better rank, and the next ranks are skipped.
>>> playerRanks({10, 30, 10, 20})
{3, 1, 3, 2}
*/
vector<int> playerRanks(vector<int> points) {
    vector<int> ranks;
    for (int own : points) {
        int rank = 1;
        for (int other : points) {
            if (other > own) rank++;
            // bug: rank++;
        }
        ranks.push_back(rank);
    }
    return ranks;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((playerRanks({10, 30, 10, 20}) == vector<int>{3, 1, 3, 2}));
    assert(playerRanks({}).empty());
    assert((playerRanks({7, 7}) == vector<int>{1, 1}));
    assert((playerRanks({1, 2, 3}) == vector<int>{3, 2, 1}));
}
