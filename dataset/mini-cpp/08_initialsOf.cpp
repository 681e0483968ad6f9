// function misuse, incorrect output
#include <cctype>
#include <sstream>
#include <string>
using namespace std;
/*
The first letters of all words, in upper case, each with a dot.
>>> initialsOf("ada king lovelace")
"A.K.L."
*/
string initialsOf(string name) {
    istringstream words(name);
    string word, initials;
    while (words >> word) {
        initials += (char)toupper(word.front());
        // bug: initials += (char)toupper(word.back());
        initials += '.';
    }
    return initials;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(initialsOf("ada king lovelace") == "A.K.L.");
    assert(initialsOf("") == "");
    assert(initialsOf("  grace   hopper ") == "G.H.");
    assert(initialsOf("Bo") == "B.");
    assert(initialsOf("x y z") == "X.Y.Z.");
}
