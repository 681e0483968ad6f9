// operator misuse, incorrect output
#include <string>
using namespace std;
/*
Whether somebody may ride: from 140 cm on everybody, from 120 cm on with an adult, below that nobody.
>>> mayRide(140, false)
true
>>> mayRide(125, true)
true
*/
bool mayRide(int height, bool withAdult) {
    if (height >= 140) return true;
    return height >= 120 && withAdult;
    // bug: return height >= 120 || withAdult;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(mayRide(140, false));
    assert(mayRide(125, true));
    assert(!mayRide(125, false));
    assert(mayRide(119, true) == false);
    assert(mayRide(120, true) == true);
}
