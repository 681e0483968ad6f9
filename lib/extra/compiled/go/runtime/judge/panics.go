package judge

import (
	"fmt"
	"reflect"
	"runtime"
	"time"
)

// end reports a panic that the tests did not expect: the candidate's or their own.
func end(fault any) {
	if last.raised != nil && reflect.DeepEqual(fault, last.raised.value) {
		End(last.raised.report)
	}
	report := Report{Kind: "raised", Line: TestLine(), Type: "panic", Message: fmt.Sprint(fault)}
	if calls == 0 {
		report = Report{Kind: "invalid", Message: "panic before they call anything: " + fmt.Sprint(fault)}
	}
	End(report)
}

// awaitPanics lets panics in other goroutines end the process, which happens only after their deferred
// functions.
func awaitPanics() {
	for wait := time.Millisecond; wait < time.Second; wait *= 2 {
		if !isPanicking() {
			return
		}
		time.Sleep(wait)
	}
	End(Report{Kind: "invalid", Message: "have a goroutine whose panic never ends"})
}

// isPanicking looks for the frame that is on a goroutine's stack from its panic until its recovery. (runtime.Stack
// omits that frame between two deferred functions and after the last one.)
func isPanicking() bool {
	for size := 64; ; size *= 2 {
		stacks := make([]runtime.StackRecord, size)
		n, isWhole := runtime.GoroutineProfile(stacks)
		if !isWhole {
			continue
		}
		for _, stack := range stacks[:n] {
			if hasPanic(stack.Stack()) {
				return true
			}
		}
		return false
	}
}

func hasPanic(stack []uintptr) bool {
	frames := runtime.CallersFrames(stack)
	for {
		frame, more := frames.Next()
		if frame.Function == "runtime.gopanic" {
			return true
		}
		if !more {
			return false
		}
	}
}
