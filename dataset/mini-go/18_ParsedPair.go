// excess logic, incorrect output
import (
	"errors"
	"strconv"
	"strings"
)

// ParsedPair reads a key and a whole number that are written as "key=1". Spaces around both do not matter; anything
// else is an error.
// >>> ParsedPair("size = 12")
// "size", 12, nil
func ParsedPair(text string) (string, int, error) {
	parts := strings.Split(text, "=")
	if len(parts) != 2 {
		return "", 0, errors.New("not one equals sign")
	}
	number, err := strconv.Atoi(strings.TrimSpace(parts[1]))
	if err != nil {
		return "", 0, err
	}
	// bug adds: number *= number
	return strings.TrimSpace(parts[0]), number, nil
}

func TestParsedPair(t *testing.T) {
	assert := assert.New(t)
	key, number, err := ParsedPair("size = 12")
	assert.NoError(err)
	assert.Equal("size", key)
	assert.Equal(12, number)
	_, number, err = ParsedPair("x=-3")
	assert.NoError(err)
	assert.Equal(-3, number)
	_, _, err = ParsedPair("x")
	assert.EqualError(err, "not one equals sign")
	_, _, err = ParsedPair("x=y")
	assert.Error(err)
}
