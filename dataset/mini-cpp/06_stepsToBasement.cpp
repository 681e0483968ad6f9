// value misuse, incorrect output
#include <vector>
using namespace std;
/*
How many moves of a lift it takes until it is below floor 0 for the first time, starting there; -1 if it never is.
>>> stepsToBasement({1, -2, 5})
2
>>> stepsToBasement({1, 1})
-1
*/
int stepsToBasement(vector<int> moves) {
    int floor = 0;
    for (size_t i = 0; i < moves.size(); i++) {
        floor += moves[i];
        if (floor < 0) return i + 1;
        // bug: if (floor < 1) return i + 1;
    }
    return -1;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(stepsToBasement({1, -2, 5}) == 2);
    assert(stepsToBasement({1, 1}) == -1);
    assert(stepsToBasement({-1}) == 1);
    assert(stepsToBasement({2, -2, -1}) == 3);
    assert(stepsToBasement({}) == -1);
}
