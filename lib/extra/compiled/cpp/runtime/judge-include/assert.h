// Replaces the library's <assert.h> in a judge: a failed assertion is reported with its line and its source
// text. If it is included again after NDEBUG changed, the tests' assertions still count.
#ifndef HEFIX_ASSERT_H
#define HEFIX_ASSERT_H
namespace hefix {
void asserting(int line, const char *text);
void asserted(bool holds);
} // namespace hefix
#endif
#undef assert
#define assert(...) (hefix::asserting(__LINE__, #__VA_ARGS__), hefix::asserted(static_cast<bool>(__VA_ARGS__)))
