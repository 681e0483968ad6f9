// Package testing replaces the library's where a judge runs tests: the first failure ends them.
package testing

import (
	"fmt"
	"strings"

	"hefix/judge"
)

// TB is the interface that tests and their helpers take.
type TB interface {
	Error(values ...any)
	Errorf(format string, values ...any)
	Fail()
	FailNow()
	Fatal(values ...any)
	Fatalf(format string, values ...any)
	Helper()
	Log(values ...any)
	Logf(format string, values ...any)
	Name() string
}

type T struct{ name string }

// A skipped test says nothing about the candidate, and must not count as passed.
const skipped = "The tests were skipped."

// New is called by the judge to run a test.
func New(name string) *T { return &T{name} }

func (*T) Error(values ...any)                 { judge.Fail(line(fmt.Sprintln(values...))) }
func (*T) Errorf(format string, values ...any) { judge.Fail(fmt.Sprintf(format, values...)) }
func (*T) Fail()                               { judge.Fail("") }
func (*T) FailNow()                            { judge.Fail("") }
func (*T) Fatal(values ...any)                 { judge.Fail(line(fmt.Sprintln(values...))) }
func (*T) Fatalf(format string, values ...any) { judge.Fail(fmt.Sprintf(format, values...)) }
func (*T) Helper()                             {}
func (*T) Log(...any)                          {}
func (*T) Logf(string, ...any)                 {}
func (*T) Parallel()                           {}
func (*T) Skip(...any)                         { judge.Fail(skipped) }
func (*T) Skipf(string, ...any)                { judge.Fail(skipped) }
func (*T) SkipNow()                            { judge.Fail(skipped) }
func (t *T) Name() string                      { return t.name }

func (t *T) Run(name string, test func(t *T)) bool {
	test(&T{t.name + "/" + strings.ReplaceAll(name, " ", "_")})
	return true
}

func line(text string) string { return text[:len(text)-1] }
