// Package wire sends calls between a judge and a candidate: plain data over one stream, each value by its
// type.
//
// It is linked into each candidate, so it does without os and fmt, which would take a fifth of the time to link.
package wire

import (
	"errors"
	"math"
	"reflect"
	"unsafe"
)

const (
	maxBytes = 16 << 20
	maxDepth = 64
	// Replaces the length of a nil slice or map.
	nilCount = math.MaxUint32
)

// Types that are allowed in an interface, by tag; tag 0 is nil.
var dynamic = []reflect.Type{
	nil,
	reflect.TypeOf(false), reflect.TypeOf(0), reflect.TypeOf(""), reflect.TypeOf(0.0),
	reflect.TypeOf(int8(0)), reflect.TypeOf(int16(0)), reflect.TypeOf(int32(0)), reflect.TypeOf(int64(0)),
	reflect.TypeOf(uint(0)), reflect.TypeOf(uint8(0)), reflect.TypeOf(uint16(0)), reflect.TypeOf(uint32(0)), reflect.TypeOf(uint64(0)),
	reflect.TypeOf(float32(0)), reflect.TypeOf(complex128(0)),
	reflect.TypeOf([]int{}), reflect.TypeOf([]string{}), reflect.TypeOf([]float64{}), reflect.TypeOf([]bool{}), reflect.TypeOf([]rune{}), reflect.TypeOf([]byte{}),
	reflect.TypeOf([]any{}), reflect.TypeOf([][]int{}), reflect.TypeOf([][]string{}), reflect.TypeOf([][]any{}),
	reflect.TypeOf(map[any]any{}), reflect.TypeOf(map[string]any{}), reflect.TypeOf(map[string]int{}), reflect.TypeOf(map[string]string{}), reflect.TypeOf(map[int]int{}), reflect.TypeOf(map[string]bool{}), reflect.TypeOf(map[rune]int{}),
	reflect.TypeOf([2]int{}), reflect.TypeOf([2]string{}), reflect.TypeOf([2]any{}), reflect.TypeOf([2]float64{}),
}

var errorType = reflect.TypeOf((*error)(nil)).Elem()

func put(b []byte, v reflect.Value, depth int) ([]byte, error) {
	if depth > maxDepth {
		return b, errors.New("a value nested too deep")
	}
	if len(b) > maxBytes {
		return b, errors.New("a value of more than 16 MiB")
	}
	var err error
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1), nil
		}
		return append(b, 0), nil
	case reflect.Int, reflect.Int64:
		return putNumber(b, uint64(v.Int()), 64), nil
	case reflect.Int8:
		return append(b, byte(v.Int())), nil
	case reflect.Int16:
		return putNumber(b, uint64(v.Int()), 16), nil
	case reflect.Int32:
		return putNumber(b, uint64(v.Int()), 32), nil
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return putNumber(b, v.Uint(), 64), nil
	case reflect.Uint8:
		return append(b, byte(v.Uint())), nil
	case reflect.Uint16:
		return putNumber(b, uint64(v.Uint()), 16), nil
	case reflect.Uint32:
		return putNumber(b, uint64(v.Uint()), 32), nil
	case reflect.Float32:
		return putNumber(b, uint64(math.Float32bits(float32(v.Float()))), 32), nil
	case reflect.Float64:
		return putNumber(b, math.Float64bits(v.Float()), 64), nil
	case reflect.Complex64, reflect.Complex128:
		b = putNumber(b, math.Float64bits(real(v.Complex())), 64)
		return putNumber(b, math.Float64bits(imag(v.Complex())), 64), nil
	case reflect.String:
		return putBytes(b, v.String()), nil
	case reflect.Slice:
		if v.IsNil() {
			return putCount(b, nilCount), nil
		}
		b = putCount(b, v.Len())
		fallthrough
	case reflect.Array:
		for i := 0; i < v.Len() && err == nil; i++ {
			b, err = put(b, v.Index(i), depth+1)
		}
		return b, err
	case reflect.Map:
		if v.IsNil() {
			return putCount(b, nilCount), nil
		}
		b = putCount(b, v.Len())
		for entries := v.MapRange(); err == nil && entries.Next(); {
			if b, err = put(b, entries.Key(), depth+1); err == nil {
				b, err = put(b, entries.Value(), depth+1)
			}
		}
		return b, err
	case reflect.Struct:
		for i := 0; i < v.NumField() && err == nil; i++ {
			b, err = put(b, v.Field(i), depth+1)
		}
		return b, err
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0), nil
		}
		return put(append(b, 1), v.Elem(), depth+1)
	case reflect.Interface:
		return putInterface(b, v, depth)
	}
	return b, errors.New("a value of type " + v.Type().String())
}

func putInterface(b []byte, v reflect.Value, depth int) ([]byte, error) {
	if v.IsNil() {
		return append(b, 0), nil
	}
	if v.Type() == errorType {
		return putBytes(append(b, 1), v.Interface().(error).Error()), nil
	}
	for tag, known := range dynamic {
		if known == v.Elem().Type() {
			return put(append(b, byte(tag)), v.Elem(), depth+1)
		}
	}
	return b, errors.New("a value of type " + v.Elem().Type().String())
}

func putCount(b []byte, count int) []byte {
	return putNumber(b, uint64(uint32(count)), 32)
}

// putNumber writes the low bits, which are a multiple of 8.
func putNumber(b []byte, number uint64, bits int) []byte {
	for shift := 0; shift < bits; shift += 8 {
		b = append(b, byte(number>>shift))
	}
	return b
}

func putBytes(b []byte, text string) []byte {
	return append(putCount(b, len(text)), text...)
}

// Unexported fields can be set only through their address.
func settable(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}
