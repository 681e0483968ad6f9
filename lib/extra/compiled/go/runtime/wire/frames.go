package wire

import "syscall"

// Descriptor 0 is the connection between judge and candidate, in both processes.
const line = 0

func send(message []byte) error {
	return all(syscall.Write, append(putCount(make([]byte, 0, len(message)+4), len(message)), message...))
}

func receive() ([]byte, error) {
	header := make([]byte, 4)
	if err := all(syscall.Read, header); err != nil {
		return nil, err
	}
	r := reader{b: header}
	n := int(r.uint32())
	if n > maxBytes {
		return nil, errBad
	}
	message := make([]byte, n)
	return message, all(syscall.Read, message)
}

// all reads or writes as often as needed, until nothing of b is left.
func all(transfer func(descriptor int, b []byte) (int, error), b []byte) error {
	for len(b) > 0 {
		n, err := transfer(line, b)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return errEnd
		}
		b = b[n:]
	}
	return nil
}
