package wire

import (
	"reflect"
	"runtime"
	"syscall"
	_ "unsafe" // for go:linkname
)

// The first byte of a reply.
const (
	returned = iota
	raised
	unsendable
)

// Maximum stack size in bytes; without it, recursion would exhaust the memory before it reaches Go's own
// limit.
const maxStack = 64 << 20

// debug.SetMaxStack, whose package imports os and fmt.
//
//go:linkname setMaxStack runtime/debug.setMaxStack
func setMaxStack(bytes int) int

// Serve answers calls with a function until the judge closes the connection.
func Serve(function any) {
	setMaxStack(maxStack)
	for {
		request, err := receive()
		if err != nil || send(answer(reflect.ValueOf(function), request)) != nil {
			syscall.Exit(0)
		}
	}
}

func answer(function reflect.Value, request []byte) (reply []byte) {
	defer func() {
		if fault := recover(); fault != nil {
			kind, text := describe(fault)
			reply = putBytes(putBytes([]byte{raised}, kind), text)
			reply = putCount(reply, candidateLine())
		}
	}()
	kind := function.Type()
	r := &reader{b: request}
	arguments := make([]reflect.Value, kind.NumIn())
	before := make([][]byte, kind.NumIn())
	for i := range arguments {
		arguments[i] = reflect.New(kind.In(i)).Elem()
		start := r.b
		r.get(arguments[i], 0)
		before[i] = start[:len(start)-len(r.b)]
	}
	if r.bad || len(r.b) > 0 {
		return putBytes([]byte{unsendable}, errBad.Error())
	}
	var results []reflect.Value
	if kind.IsVariadic() {
		results = function.CallSlice(arguments)
	} else {
		results = function.Call(arguments)
	}
	return encode(kind, results, arguments, before)
}

// encode writes the results, then every argument that the function may have changed, then which results share
// memory with an argument.
func encode(kind reflect.Type, results, arguments []reflect.Value, before [][]byte) []byte {
	reply := []byte{returned}
	var err error
	for i, result := range results {
		// Keeps static types: an interface stays an interface.
		if reply, err = put(reply, typed(kind.Out(i), result), 0); err != nil {
			return putBytes([]byte{unsendable}, err.Error())
		}
	}
	for i, argument := range arguments {
		if !IsShared(argument) {
			continue
		}
		after, err := put(nil, argument, 0)
		if err != nil {
			return putBytes([]byte{unsendable}, err.Error())
		}
		if argument.Kind() != reflect.Map && string(before[i]) == string(after) {
			reply = append(reply, 0)
		} else {
			reply = append(append(reply, 1), after...)
		}
	}
	for _, result := range results {
		if isReference(result.Kind()) {
			reply = putAlias(reply, result, arguments)
		}
	}
	if len(reply) > maxBytes {
		return putBytes([]byte{unsendable}, "a value of more than 16 MiB")
	}
	return reply
}

func typed(kind reflect.Type, value reflect.Value) reflect.Value {
	v := reflect.New(kind).Elem()
	v.Set(value)
	return v
}

// IsShared reports whether a callee's changes to a value of this type are visible to its caller.
func IsShared(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		return true
	case reflect.Interface:
		return !v.IsNil() && IsShared(v.Elem())
	}
	return false
}

func describe(fault any) (kind, text string) {
	switch fault := fault.(type) {
	case runtime.Error:
		return "panic", fault.Error()
	case error:
		return "error", fault.Error()
	case string:
		return "string", fault
	}
	if value, err := put(nil, reflect.ValueOf(&fault).Elem(), 0); err == nil {
		return "value", string(value)
	}
	return "other", "a value of type " + reflect.TypeOf(fault).String()
}

const candidateFile = "candidate.go"

// candidateLine is the line at which the current panic was raised.
func candidateLine() int {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for {
		frame, more := frames.Next()
		if from := len(frame.File) - len(candidateFile); from >= 0 && frame.File[from:] == candidateFile {
			return frame.Line
		}
		if !more {
			return 0
		}
	}
}
