package wire

import (
	"errors"
	"reflect"
	"sync"
)

// Reply is the outcome of a call.
type Reply struct {
	// "returned", "raised", "not-serializable" or "lost".
	Kind string
	// What could not be sent, or the panic's message.
	Message string
	// Set for a panic.
	Value any
	Line  int
}

var calls sync.Mutex

// Call sends the arguments to the candidate and sets the results. All are pointers, which keeps their static
// types.
func Call(arguments, results []any) Reply {
	calls.Lock()
	defer calls.Unlock()
	var request []byte
	var err error
	for _, argument := range arguments {
		if request, err = put(request, reflect.ValueOf(argument).Elem(), 0); err != nil {
			return Reply{Kind: "invalid", Message: "call it with " + err.Error() + ", which cannot be sent"}
		}
	}
	if len(request) > maxBytes {
		return Reply{Kind: "invalid", Message: "call it with a value of more than 16 MiB"}
	}
	if send(request) != nil {
		return Reply{Kind: "lost"}
	}
	reply, err := receive()
	if err == errBad {
		return unreadable
	}
	if err != nil {
		return Reply{Kind: "lost"}
	}
	return read(&reader{b: reply}, arguments, results)
}

var unreadable = Reply{Kind: "not-serializable", Message: errBad.Error()}

func read(r *reader, arguments, results []any) Reply {
	reply := Reply{Kind: "returned"}
	var restore []func()
	switch r.byte() {
	case returned:
		for _, result := range results {
			r.get(reflect.ValueOf(result).Elem(), 0)
		}
		for _, argument := range arguments {
			old := reflect.ValueOf(argument).Elem()
			if IsShared(old) && r.flag() {
				changed := reflect.New(old.Type()).Elem()
				r.get(changed, 0)
				restore = append(restore, func() { copyInto(old, changed) })
			}
		}
		for _, result := range results {
			if value := reflect.ValueOf(result).Elem(); isReference(value.Kind()) {
				restore = append(restore, r.alias(value, arguments))
			}
		}
	case raised:
		reply = r.fault()
	case unsendable:
		reply = Reply{Kind: "not-serializable", Message: r.text()}
	default:
		r.bad = true
	}
	if r.bad || len(r.b) > 0 {
		return unreadable
	}
	for _, change := range restore {
		change()
	}
	return reply
}

// A runtimeError represents an error of the Go runtime.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }
func (runtimeError) RuntimeError()   {}

// fault is the value that the candidate panicked with, as tests recover it.
func (r *reader) fault() Reply {
	kind, text := r.text(), r.text()
	reply := Reply{Kind: "raised", Message: text, Line: int(r.uint32())}
	switch kind {
	case "string":
		reply.Value = text
	case "panic":
		reply.Value = runtimeError(text)
	case "value":
		inner := reader{b: []byte(text)}
		inner.get(reflect.ValueOf(&reply.Value).Elem(), 0)
		r.bad = r.bad || inner.bad || len(inner.b) > 0 || reply.Value == nil
		reply.Message = ""
	default:
		reply.Value = errors.New(text)
	}
	return reply
}

// copyInto applies the candidate's changes to the tests' value, as far as both would share memory in one
// process.
func copyInto(old, changed reflect.Value) {
	switch old.Kind() {
	case reflect.Slice:
		for i := 0; i < old.Len() && i < changed.Len(); i++ {
			set(old.Index(i), changed.Index(i))
		}
	case reflect.Map:
		if old.IsNil() {
			return
		}
		for _, key := range old.MapKeys() {
			if !changed.MapIndex(key).IsValid() {
				old.SetMapIndex(key, reflect.Value{})
			}
		}
		for entries := changed.MapRange(); entries.Next(); {
			old.SetMapIndex(entries.Key(), entries.Value())
		}
	case reflect.Pointer:
		if !old.IsNil() && !changed.IsNil() {
			old.Elem().Set(changed.Elem())
		}
	case reflect.Interface:
		if !changed.IsNil() && old.Elem().Type() == changed.Elem().Type() {
			copyInto(old.Elem(), changed.Elem())
		}
	}
}

func set(old, changed reflect.Value) {
	isSame := old.Kind() == changed.Kind() && (old.Kind() == reflect.Slice || old.Kind() == reflect.Map)
	if isSame && !old.IsNil() && !changed.IsNil() && old.Len() == changed.Len() {
		copyInto(old, changed)
		return
	}
	old.Set(changed)
}
