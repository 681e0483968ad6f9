package wire

import "reflect"

func isReference(kind reflect.Kind) bool {
	return kind == reflect.Slice || kind == reflect.Map || kind == reflect.Pointer
}

// putAlias writes which argument a result is, or is part of (1-based; 0 for none), and the index of its first
// element there.
func putAlias(b []byte, result reflect.Value, arguments []reflect.Value) []byte {
	for i, argument := range arguments {
		if from, is := positionIn(argument, result); is {
			return putCount(append(b, byte(i+1)), from)
		}
	}
	return putCount(append(b, 0), 0)
}

func positionIn(argument, result reflect.Value) (from int, is bool) {
	if argument.Type() != result.Type() || result.IsNil() || argument.IsNil() {
		return 0, false
	}
	start, at := argument.Pointer(), result.Pointer()
	if result.Kind() != reflect.Slice {
		return 0, at == start
	}
	size := result.Type().Elem().Size()
	if result.Cap() == 0 || size == 0 || at < start {
		return 0, false
	}
	// Must not become an int before it is known to be small.
	distance := (at - start) / size
	return int(distance), distance <= uintptr(argument.Len()) && int(distance)+result.Len() <= argument.Len()
}

// alias makes a result share the memory of an argument, as it does in the candidate.
func (r *reader) alias(result reflect.Value, arguments []any) func() {
	number, from := int(r.byte()), int(r.uint32())
	if r.bad || number == 0 {
		return func() {}
	}
	if number > len(arguments) {
		r.bad = true
		return func() {}
	}
	argument := reflect.ValueOf(arguments[number-1]).Elem()
	r.bad = argument.Type() != result.Type() || result.IsNil() || argument.IsNil()
	if r.bad || result.Kind() != reflect.Slice {
		return func() { result.Set(argument) }
	}
	to := from + result.Len()
	r.bad = to > argument.Len()
	return func() { result.Set(argument.Slice(from, to)) }
}
