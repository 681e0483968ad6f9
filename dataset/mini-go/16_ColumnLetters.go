// missing logic, incorrect output
// ColumnLetters gives the letters of a spreadsheet's column, counted from 1.
// >>> ColumnLetters(28)
// "AB"
func ColumnLetters(number int) string {
	letters := ""
	for number > 0 {
		number--
		// bug drops 1 line
		letters = string(rune('A'+number%26)) + letters
		number /= 26
	}
	return letters
}

func TestColumnLetters(t *testing.T) {
	assert := assert.New(t)
	assert.Equal("AB", ColumnLetters(28))
	assert.Equal("A", ColumnLetters(1))
	assert.Equal("Z", ColumnLetters(26))
	assert.Equal("AAA", ColumnLetters(703))
	assert.Equal("", ColumnLetters(0))
}
