// variable misuse, incorrect output
#include <vector>
using namespace std;
/*
The seconds that a playlist takes with a pause between two tracks, but not after the last one.
>>> playlistLength({200, 100}, 3)
303
>>> playlistLength({}, 3)
0
*/
int playlistLength(vector<int> tracks, int pause) {
    int total = 0;
    for (size_t i = 0; i < tracks.size(); i++) {
        total += tracks[i];
        if (i + 1 < tracks.size()) total += pause;
        // bug: if (i + 1 < tracks.size()) total += tracks[i];
    }
    return total;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(playlistLength({200, 100}, 3) == 303);
    assert(playlistLength({}, 3) == 0);
    assert(playlistLength({60}, 10) == 60);
    assert(playlistLength({10, 20, 30}, 5) == 70);
    assert(playlistLength({0, 0}, 2) == 2);
}
