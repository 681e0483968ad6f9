package wire

import "syscall"

// Descriptor 0 is the connection between judge and candidate, in both processes.
const line = 0

func send(message []byte) error {
	b := append(putCount(make([]byte, 0, len(message)+4), len(message)), message...)
	for len(b) > 0 {
		n, err := syscall.Write(line, b)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func receive() ([]byte, error) {
	header := make([]byte, 4)
	if err := fill(header); err != nil {
		return nil, err
	}
	r := reader{b: header}
	n := int(r.uint32())
	if n > maxBytes {
		return nil, errBad
	}
	message := make([]byte, n)
	return message, fill(message)
}

func fill(b []byte) error {
	for len(b) > 0 {
		n, err := syscall.Read(line, b)
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
