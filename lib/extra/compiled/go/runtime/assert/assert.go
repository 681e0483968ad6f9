// Package assert replaces testify's in a judge: the first failed assertion ends the tests.
package assert

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"

	"hefix/judge"
)

// TestingT is testify's interface for *testing.T.
type TestingT interface {
	Errorf(format string, values ...any)
}

type Assertions struct{}

func New(TestingT) *Assertions { return &Assertions{} }

// check implements every assertion; `want` and `got` are set if it compares two values.
func check(holds bool, want, got any) bool {
	judge.Assert(holds, want, got)
	return holds
}

func equal(expected, actual any) bool {
	if expected == nil || actual == nil {
		return expected == actual
	}
	want, isBytes := expected.([]byte)
	if !isBytes {
		return reflect.DeepEqual(expected, actual)
	}
	got, isBytes := actual.([]byte)
	return isBytes && (want == nil) == (got == nil) && bytes.Equal(want, got)
}

func isNil(value any) bool {
	if value == nil {
		return true
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
		return v.IsNil()
	}
	return false
}

func isEmpty(value any) bool {
	if isNil(value) {
		return true
	}
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Chan:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

func number(value any) float64 {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	return math.NaN()
}

func within(expected, actual any, delta float64) bool {
	want, got := number(expected), number(actual)
	return math.IsNaN(want) && math.IsNaN(got) || math.Abs(want-got) <= delta
}

func contains(all, part any) bool {
	v := reflect.ValueOf(all)
	switch v.Kind() {
	case reflect.String:
		return strings.Contains(v.String(), fmt.Sprint(part))
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if equal(key.Interface(), part) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len(); i++ {
			if equal(v.Index(i).Interface(), part) {
				return true
			}
		}
	}
	return false
}

func matches(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if isEmpty(a) || isEmpty(b) {
		return isEmpty(a) && isEmpty(b)
	}
	used := make([]bool, y.Len())
	for i := 0; i < x.Len(); i++ {
		found := false
		for j := 0; j < y.Len() && !found; j++ {
			found = !used[j] && equal(x.Index(i).Interface(), y.Index(j).Interface())
			used[j] = used[j] || found
		}
		if !found {
			return false
		}
	}
	return x.Len() == y.Len()
}

func panics(run func()) (did bool) {
	did = true
	defer func() { recover() }()
	run()
	return false
}

func converts(expected, actual any) bool {
	if equal(expected, actual) {
		return true
	}
	if expected == nil || actual == nil {
		return false
	}
	want := reflect.ValueOf(expected)
	return want.CanConvert(reflect.TypeOf(actual)) && equal(want.Convert(reflect.TypeOf(actual)).Interface(), actual)
}

func length(value any) int { return reflect.ValueOf(value).Len() }
