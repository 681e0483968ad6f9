// operator misuse, incorrect output
#include <string>
using namespace std;
/*
How many pages hold some items; there is always one page, even without items.
>>> pagesFor(21, 10)
3
>>> pagesFor(0, 10)
1
*/
int pagesFor(int items, int perPage) {
    if (items == 0) return 1;
    return (items + perPage - 1) / perPage;
    // bug: return (items + perPage + 1) / perPage;
}

#undef NDEBUG
#include <assert.h>
int main() {
    assert(pagesFor(21, 10) == 3);
    assert(pagesFor(0, 10) == 1);
    assert(pagesFor(20, 10) == 2);
    assert(pagesFor(1, 10) == 1);
    assert(pagesFor(29, 10) == 3);
}
