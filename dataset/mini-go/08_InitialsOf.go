// function misuse, incorrect output
import (
	"strings"
)

// InitialsOf gives the first letters of all words, in upper case, each with a dot.
// >>> InitialsOf("ada king lovelace")
// "A.K.L."
func InitialsOf(name string) string {
	initials := ""
	for _, word := range strings.Fields(name) {
		initials += strings.ToUpper(string([]rune(word)[0])) + "."
		// bug: initials += strings.ToLower(string([]rune(word)[0])) + "."
	}
	return initials
}

func TestInitialsOf(t *testing.T) {
	assert := assert.New(t)
	assert.Equal("A.K.L.", InitialsOf("ada king lovelace"))
	assert.Equal("", InitialsOf(""))
	assert.Equal("G.H.", InitialsOf("  grace   hopper "))
	assert.Equal("B.", InitialsOf("Bo"))
	assert.Equal("É.Z.", InitialsOf("émile zola"))
}
