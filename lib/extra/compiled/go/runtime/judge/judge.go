// Package judge runs tests and reports the verdict on descriptor 3. Its process contains no candidate code.
package judge

import (
	"encoding/binary"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"hefix/wire"
)

// Report is what the sandbox receives; its fields are sent in this order.
type Report struct {
	Kind                                  string
	Line                                  int
	Call, Expected, Actual, Type, Message string
	ExceptionLine                         int
}

// raised is the panic value of a call in which the candidate panicked.
type raised struct {
	report Report
	value  any
}

var (
	last struct {
		line   int
		call   string
		result string
		raised *raised
	}
	calls    int
	asserted int
	// Kept in a variable, because the garbage collector closes unreferenced files.
	reports = os.NewFile(3, "report")
	ending  sync.Mutex
)

const maxText = 2000

// End sends the report and ends the process; only the first report counts.
func End(report Report) {
	if counting {
		counted.isPartial = counted.isPartial || report.Kind != "passed"
		endCounting()
	}
	ending.Lock()
	send(report)
	os.Exit(0)
}

func send(report Report) {
	var frame []byte
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, text := range []string{
		report.Kind, number(report.Line), report.Call, report.Expected, report.Actual, report.Type, report.Message, number(report.ExceptionLine),
	} {
		text = shorten(text)
		frame = append(binary.LittleEndian.AppendUint32(frame, uint32(len(text))), text...)
	}
	reports.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(frame))), frame...))
}

func shorten(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// Call is called by the stub of the entry point; arguments and results are pointers.
func Call(name string, arguments, results []any) {
	calls++
	last.line, last.raised = TestLine(), nil
	last.call = name + "(" + list(arguments) + ")"
	reply := wire.Call(arguments, results)
	report := Report{Kind: reply.Kind, Line: last.line, Call: last.call, Message: reply.Message, ExceptionLine: reply.Line}
	switch reply.Kind {
	case "returned":
		last.result = list(results)
		return
	case "raised":
		report.Type = "panic"
		if report.Message == "" {
			report.Message = fmt.Sprint(reply.Value)
		}
		last.raised = &raised{report, reply.Value}
		panic(reply.Value)
	}
	End(report)
}

func list(pointers []any) string {
	texts := make([]string, len(pointers))
	for i, pointer := range pointers {
		texts[i] = Text(reflect.ValueOf(pointer).Elem().Interface())
	}
	return strings.Join(texts, ", ")
}

// Text is a value in Go syntax.
func Text(value any) string {
	if value == nil {
		return "nil"
	}
	return strings.ReplaceAll(fmt.Sprintf("%#v", value), "interface {}", "any")
}

// TestLine is the line of the tests that is running.
func TestLine() int {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "tests.go") {
			return frame.Line
		}
		if !more {
			return 0
		}
	}
}

// Assert counts an assertion, and ends the tests if it failed.
func Assert(holds bool, expected, actual any) {
	asserted++
	if counting {
		count(holds)
		return
	}
	if holds {
		return
	}
	report := Report{Kind: "failed", Line: TestLine(), Expected: Text(expected), Actual: Text(actual)}
	if report.Line == last.line && report.Actual == last.result {
		report.Call = last.call
	}
	End(report)
}

// Fail ends the tests with a failure that the tests reported themselves.
func Fail(message string) {
	asserted++
	if counting {
		panic(message)
	}
	End(Report{Kind: "failed", Line: TestLine(), Message: message})
}

// Run runs the tests one after another. With `mustAssert`, the tests can only fail by counted assertions.
func Run(name string, mustAssert bool, tests ...func()) {
	send(Report{Kind: "started"})
	defer func() {
		if fault := recover(); fault != nil {
			end(fault)
		}
	}()
	for _, test := range tests {
		if counting {
			attempt(test)
		} else {
			test()
		}
	}
	switch {
	case calls == 0:
		End(Report{Kind: "invalid", Message: "never call " + name})
	case mustAssert && asserted == 0:
		End(Report{Kind: "failed", Message: "The tests ended without reaching one of their assertions."})
	}
	awaitPanics()
	End(Report{Kind: "passed"})
}
