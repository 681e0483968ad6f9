package assert

import (
	"math"
	"reflect"

	"hefix/judge"
)

// Every assertion exists as a method of Assertions and as a function that takes the test first, as in
// testify.

// different is shown as the expected value if the values should differ.
type different struct{ from any }

func (d different) GoString() string { return "another value than " + judge.Text(d.from) }

func (*Assertions) Equal(expected, actual any, _ ...any) bool {
	return check(equal(expected, actual), expected, actual)
}
func (*Assertions) Exactly(expected, actual any, _ ...any) bool {
	return check(equal(expected, actual), expected, actual)
}
func (*Assertions) EqualValues(expected, actual any, _ ...any) bool {
	return check(converts(expected, actual), expected, actual)
}
func (*Assertions) NotEqual(expected, actual any, _ ...any) bool {
	return check(!equal(expected, actual), different{expected}, actual)
}
func (*Assertions) True(value bool, _ ...any) bool  { return check(value, true, value) }
func (*Assertions) False(value bool, _ ...any) bool { return check(!value, false, value) }
func (*Assertions) Nil(value any, _ ...any) bool    { return check(isNil(value), nil, value) }
func (*Assertions) NotNil(value any, _ ...any) bool {
	return check(!isNil(value), different{nil}, value)
}
func (*Assertions) Zero(value any, _ ...any) bool {
	return check(value == nil || reflect.ValueOf(value).IsZero(), "a zero value", value)
}
func (*Assertions) Empty(value any, _ ...any) bool {
	return check(isEmpty(value), "an empty value", value)
}
func (*Assertions) NotEmpty(value any, _ ...any) bool {
	return check(!isEmpty(value), different{"an empty value"}, value)
}
func (*Assertions) Len(value any, count int, _ ...any) bool {
	return check(length(value) == count, count, length(value))
}
func (*Assertions) Contains(all, part any, _ ...any) bool {
	return check(contains(all, part), part, all)
}
func (*Assertions) NotContains(all, part any, _ ...any) bool {
	return check(!contains(all, part), different{part}, all)
}
func (*Assertions) ElementsMatch(expected, actual any, _ ...any) bool {
	return check(matches(expected, actual), expected, actual)
}
func (*Assertions) InDelta(expected, actual any, delta float64, _ ...any) bool {
	return check(within(expected, actual, delta), expected, actual)
}
func (*Assertions) InEpsilon(expected, actual any, epsilon float64, _ ...any) bool {
	return check(within(expected, actual, epsilon*math.Abs(number(expected))), expected, actual)
}
func (*Assertions) Greater(a, b any, _ ...any) bool { return check(number(a) > number(b), b, a) }
func (*Assertions) GreaterOrEqual(a, b any, _ ...any) bool {
	return check(number(a) >= number(b), b, a)
}
func (*Assertions) Less(a, b any, _ ...any) bool        { return check(number(a) < number(b), b, a) }
func (*Assertions) LessOrEqual(a, b any, _ ...any) bool { return check(number(a) <= number(b), b, a) }
func (*Assertions) NoError(err error, _ ...any) bool    { return check(err == nil, nil, err) }
func (*Assertions) Error(err error, _ ...any) bool      { return check(err != nil, "an error", err) }
func (*Assertions) EqualError(err error, text string, _ ...any) bool {
	return check(err != nil && err.Error() == text, text, err)
}
func (*Assertions) Panics(run func(), _ ...any) bool { return check(panics(run), "a panic", "none") }
func (*Assertions) NotPanics(run func(), _ ...any) bool {
	return check(!panics(run), "no panic", "one")
}

func Equal(_ TestingT, expected, actual any, _ ...any) bool {
	return check(equal(expected, actual), expected, actual)
}
func Exactly(_ TestingT, expected, actual any, _ ...any) bool {
	return check(equal(expected, actual), expected, actual)
}
func EqualValues(_ TestingT, expected, actual any, _ ...any) bool {
	return check(converts(expected, actual), expected, actual)
}
func NotEqual(_ TestingT, expected, actual any, _ ...any) bool {
	return check(!equal(expected, actual), different{expected}, actual)
}
func True(_ TestingT, value bool, _ ...any) bool  { return check(value, true, value) }
func False(_ TestingT, value bool, _ ...any) bool { return check(!value, false, value) }
func Nil(_ TestingT, value any, _ ...any) bool    { return check(isNil(value), nil, value) }
func NotNil(_ TestingT, value any, _ ...any) bool { return check(!isNil(value), different{nil}, value) }
func Zero(_ TestingT, value any, _ ...any) bool {
	return check(value == nil || reflect.ValueOf(value).IsZero(), "a zero value", value)
}
func Empty(_ TestingT, value any, _ ...any) bool {
	return check(isEmpty(value), "an empty value", value)
}
func NotEmpty(_ TestingT, value any, _ ...any) bool {
	return check(!isEmpty(value), different{"an empty value"}, value)
}
func Len(_ TestingT, value any, count int, _ ...any) bool {
	return check(length(value) == count, count, length(value))
}
func Contains(_ TestingT, all, part any, _ ...any) bool { return check(contains(all, part), part, all) }
func NotContains(_ TestingT, all, part any, _ ...any) bool {
	return check(!contains(all, part), different{part}, all)
}
func ElementsMatch(_ TestingT, expected, actual any, _ ...any) bool {
	return check(matches(expected, actual), expected, actual)
}
func InDelta(_ TestingT, expected, actual any, delta float64, _ ...any) bool {
	return check(within(expected, actual, delta), expected, actual)
}
func InEpsilon(_ TestingT, expected, actual any, epsilon float64, _ ...any) bool {
	return check(within(expected, actual, epsilon*math.Abs(number(expected))), expected, actual)
}
func Greater(_ TestingT, a, b any, _ ...any) bool        { return check(number(a) > number(b), b, a) }
func GreaterOrEqual(_ TestingT, a, b any, _ ...any) bool { return check(number(a) >= number(b), b, a) }
func Less(_ TestingT, a, b any, _ ...any) bool           { return check(number(a) < number(b), b, a) }
func LessOrEqual(_ TestingT, a, b any, _ ...any) bool    { return check(number(a) <= number(b), b, a) }
func NoError(_ TestingT, err error, _ ...any) bool       { return check(err == nil, nil, err) }
func Error(_ TestingT, err error, _ ...any) bool         { return check(err != nil, "an error", err) }
func EqualError(_ TestingT, err error, text string, _ ...any) bool {
	return check(err != nil && err.Error() == text, text, err)
}
func Panics(_ TestingT, run func(), _ ...any) bool    { return check(panics(run), "a panic", "none") }
func NotPanics(_ TestingT, run func(), _ ...any) bool { return check(!panics(run), "no panic", "one") }
