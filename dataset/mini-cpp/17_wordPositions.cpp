// excess logic, incorrect output
#include <map>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
/*
The positions of every word of a text, counted from 0.
>>> wordPositions("go stop go")
{{"go", {0, 2}}, {"stop", {1}}}
*/
map<string, vector<int>> wordPositions(string text) {
    map<string, vector<int>> positions;
    istringstream words(text);
    string word;
    for (int at = 0; words >> word; at++) positions[word].push_back(at);
    // bug: for (int at = 0; words >> word; at++) positions[word] = {at};
    return positions;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert((wordPositions("go stop go") == map<string, vector<int>>{{"go", {0, 2}}, {"stop", {1}}}));
    assert(wordPositions("").empty());
    assert((wordPositions("a a a") == map<string, vector<int>>{{"a", {0, 1, 2}}}));
    assert((wordPositions(" b  a ") == map<string, vector<int>>{{"a", {1}}, {"b", {0}}}));
}
