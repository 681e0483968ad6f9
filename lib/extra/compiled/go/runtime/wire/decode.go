package wire

import (
	"errors"
	"math"
	"reflect"
)

var (
	errBad = errors.New("a message that cannot be read")
	errEnd = errors.New("the connection is closed")
)

// reader reads values from the front of a message. Once `bad` is set, it stays set, and values read are
// meaningless.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.b) {
		r.bad = true
		return make([]byte, 8)
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) byte() byte     { return r.take(1)[0] }
func (r *reader) uint16() uint16 { return uint16(r.number(16)) }
func (r *reader) uint32() uint32 { return uint32(r.number(32)) }
func (r *reader) uint64() uint64 { return r.number(64) }
func (r *reader) float() float64 { return math.Float64frombits(r.uint64()) }

func (r *reader) number(bits int) (number uint64) {
	for i, b := range r.take(bits / 8) {
		number |= uint64(b) << (8 * i)
	}
	return number
}

// flag reads a bool: 0 or 1; other values are invalid.
func (r *reader) flag() bool {
	b := r.byte()
	r.bad = r.bad || b > 1
	return b == 1
}

// count reads the number of elements, which take at least one byte each, or nil's marker.
func (r *reader) count() (n int, isNil bool) {
	u := r.uint32()
	if u == nilCount {
		return 0, true
	}
	if int(u) > len(r.b) {
		r.bad = true
		return 0, false
	}
	return int(u), false
}

func (r *reader) text() string {
	n, isNil := r.count()
	r.bad = r.bad || isNil
	if r.bad {
		return ""
	}
	return string(r.take(n))
}

func (r *reader) get(v reflect.Value, depth int) {
	if depth > maxDepth {
		r.bad = true
	}
	if r.bad {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.flag())
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(r.uint64()))
	case reflect.Int8:
		v.SetInt(int64(int8(r.byte())))
	case reflect.Int16:
		v.SetInt(int64(int16(r.uint16())))
	case reflect.Int32:
		v.SetInt(int64(int32(r.uint32())))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		v.SetUint(r.uint64())
	case reflect.Uint8:
		v.SetUint(uint64(r.byte()))
	case reflect.Uint16:
		v.SetUint(uint64(r.uint16()))
	case reflect.Uint32:
		v.SetUint(uint64(r.uint32()))
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(r.uint32())))
	case reflect.Float64:
		v.SetFloat(r.float())
	case reflect.Complex64, reflect.Complex128:
		re := r.float()
		v.SetComplex(complex(re, r.float()))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Slice:
		r.slice(v, depth)
	case reflect.Array:
		for i := 0; i < v.Len() && !r.bad; i++ {
			r.get(v.Index(i), depth+1)
		}
	case reflect.Map:
		r.mapping(v, depth)
	case reflect.Struct:
		for i := 0; i < v.NumField() && !r.bad; i++ {
			r.get(settable(v.Field(i)), depth+1)
		}
	case reflect.Pointer:
		if r.flag() {
			v.Set(reflect.New(v.Type().Elem()))
			r.get(v.Elem(), depth+1)
		}
	case reflect.Interface:
		r.dynamic(v, depth)
	default:
		r.bad = true
	}
}

func (r *reader) slice(v reflect.Value, depth int) {
	n, isNil := r.count()
	if isNil || r.bad {
		return
	}
	// Elements without a size, such as struct{}, take no bytes: count refuses more of them than bytes that follow.
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := 0; i < n && !r.bad; i++ {
		r.get(v.Index(i), depth+1)
	}
}

func (r *reader) mapping(v reflect.Value, depth int) {
	n, isNil := r.count()
	if isNil || r.bad {
		return
	}
	m := reflect.MakeMap(v.Type())
	for i := 0; i < n && !r.bad; i++ {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.get(key, depth+1)
		r.get(value, depth+1)
		if r.bad || !isHashable(key) {
			r.bad = true
			return
		}
		m.SetMapIndex(key, value)
	}
	v.Set(m)
}

func (r *reader) dynamic(v reflect.Value, depth int) {
	tag := int(r.byte())
	if r.bad || tag == 0 {
		return
	}
	if v.Type() == errorType && tag == 1 {
		v.Set(reflect.ValueOf(errors.New(r.text())))
		return
	}
	if tag >= len(dynamic) || v.NumMethod() > 0 {
		r.bad = true
		return
	}
	value := reflect.New(dynamic[tag]).Elem()
	r.get(value, depth+1)
	if !r.bad {
		v.Set(value)
	}
}

// isHashable is false for values in an interface that would panic as a key. (reflect's Comparable needs Go
// 1.20.)
func isHashable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		return v.IsNil() || isHashable(v.Elem())
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			if !isHashable(v.Index(i)) {
				return false
			}
		}
		return v.Type().Comparable()
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !isHashable(v.Field(i)) {
				return false
			}
		}
		return v.Type().Comparable()
	}
	return v.Type().Comparable()
}
