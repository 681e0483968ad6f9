// excess logic, incorrect output
#include <cctype>
#include <map>
#include <string>
using namespace std;
/*
How often each letter occurs, upper and lower case as one; all else does not count.
>>> lettersCounted("Abba!")
{{'a', 2}, {'b', 2}}
*/
map<char, int> lettersCounted(string text) {
    map<char, int> counts;
    for (char letter : text) {
        if (isalpha((unsigned char)letter)) counts[tolower(letter)]++;
    }
    // bug adds: counts.erase('a');
    return counts;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((lettersCounted("Abba!") == map<char, int>{{'a', 2}, {'b', 2}}));
    assert(lettersCounted("").empty());
    assert((lettersCounted("x1X2") == map<char, int>{{'x', 2}}));
    assert(lettersCounted("one two")['o'] == 2);
}
