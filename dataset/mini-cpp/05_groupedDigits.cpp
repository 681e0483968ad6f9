// missing logic, incorrect output
#include <string>
using namespace std;
/*
Write a whole number with a comma before every group of three digits.
>>> groupedDigits(1234567)
"1,234,567"
>>> groupedDigits(-1000)
"-1,000"
*/
string groupedDigits(long long number) {
    string digits = to_string(number < 0 ? -number : number);
    string text;
    for (size_t i = 0; i < digits.size(); i++) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    if (number < 0) text = "-" + text;
    // bug drops 1 line
    return text;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(groupedDigits(1234567) == "1,234,567");
    assert(groupedDigits(-1000) == "-1,000");
    assert(groupedDigits(0) == "0");
    assert(groupedDigits(999) == "999");
    assert(groupedDigits(-12) == "-12");
    assert(groupedDigits(9000000000LL) == "9,000,000,000");
}
