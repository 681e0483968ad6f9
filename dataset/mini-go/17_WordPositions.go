// excess logic, incorrect output
import (
	"strings"
)

// WordPositions gives the positions of every word of a text, counted from 0.
// >>> WordPositions("go stop go")
// map[string][]int{"go": {0, 2}, "stop": {1}}
func WordPositions(text string) map[string][]int {
	positions := map[string][]int{}
	for at, word := range strings.Fields(text) {
		// bug adds: positions[word] = nil
		positions[word] = append(positions[word], at)
	}
	return positions
}

func TestWordPositions(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(map[string][]int{"go": {0, 2}, "stop": {1}}, WordPositions("go stop go"))
	assert.Equal(map[string][]int{}, WordPositions(""))
	assert.Equal(map[string][]int{"a": {0, 1, 2}}, WordPositions("a a a"))
	assert.Equal([]int{1}, WordPositions("x y")["y"])
	assert.Nil(WordPositions("x y")["z"])
}
