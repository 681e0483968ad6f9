// excess logic, incorrect output
import (
	"unicode"
)

// LettersCounted tells how often each letter occurs, upper and lower case as one; all else does not count.
// >>> LettersCounted("Abba!")
// map[rune]int{'a': 2, 'b': 2}
func LettersCounted(text string) map[rune]int {
	counts := map[rune]int{}
	for _, letter := range text {
		if unicode.IsLetter(letter) {
			counts[unicode.ToLower(letter)]++
		}
	}
	// bug adds: delete(counts, 'a')
	return counts
}

func TestLettersCounted(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(map[rune]int{'a': 2, 'b': 2}, LettersCounted("Abba!"))
	assert.Equal(map[rune]int{}, LettersCounted(""))
	assert.Equal(map[rune]int{'x': 2}, LettersCounted("x1X2"))
	assert.Equal(map[rune]int{'ä': 2}, LettersCounted("äÄ"))
	assert.Equal(2, LettersCounted("one two")['o'])
}
