// missing logic, incorrect output
#include <string>
using namespace std;
/*
The letters of a spreadsheet's column, counted from 1.
>>> columnLetters(28)
"AB"
*/
string columnLetters(int number) {
    string letters;
    while (number > 0) {
        number--;
        // bug drops 1 line
        letters = string(1, 'A' + number % 26) + letters;
        number /= 26;
    }
    return letters;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(columnLetters(28) == "AB");
    assert(columnLetters(1) == "A");
    assert(columnLetters(26) == "Z");
    assert(columnLetters(703) == "AAA");
    assert(columnLetters(27) == "AA");
}
