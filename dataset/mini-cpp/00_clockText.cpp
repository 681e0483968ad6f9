// value misuse, incorrect output
#include <string>
using namespace std;
/*
Write a number of minutes after midnight as a time of the day with two digits each. A day is over after 1440 minutes,
and the next one begins.
>>> clockText(425)
"07:05"
>>> clockText(1450)
"00:10"
*/
string clockText(int minutes) {
    int hour = minutes / 60 % 24;
    // bug: int hour = minutes / 60 % 12;
    int rest = minutes % 60;
    string text = hour < 10 ? "0" : "";
    text += to_string(hour) + ":";
    if (rest < 10) text += "0";
    return text + to_string(rest);
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(clockText(425) == "07:05");
    assert(clockText(0) == "00:00");
    assert(clockText(1439) == "23:59");
    assert(clockText(720) == "12:00");
    assert(clockText(1450) == "00:10");
}
