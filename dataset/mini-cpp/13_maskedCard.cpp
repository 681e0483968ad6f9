// value misuse, incorrect output
#include <string>
using namespace std;
/*
A card number with stars in place of all digits but the last four; spaces stay.
>>> maskedCard("1234 5678")
"**** 5678"
*/
string maskedCard(string number) {
    int seen = 0;
    for (size_t i = number.size(); i-- > 0;) {
        if (number[i] == ' ') continue;
        seen++;
        if (seen > 4) number[i] = '*';
        // bug: if (seen > 3) number[i] = '*';
    }
    return number;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(maskedCard("1234 5678") == "**** 5678");
    assert(maskedCard("123") == "123");
    assert(maskedCard("12345") == "*2345");
    assert(maskedCard("") == "");
    assert(maskedCard("1 2 3 4 5 6") == "* * 3 4 5 6");
}
