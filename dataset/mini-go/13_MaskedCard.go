// value misuse, incorrect output
// MaskedCard gives a card number with stars in place of all digits but the last four; spaces stay.
// >>> MaskedCard("1234 5678")
// "**** 5678"
func MaskedCard(number string) string {
	masked := []byte(number)
	seen := 0
	for i := len(masked) - 1; i >= 0; i-- {
		if masked[i] == ' ' {
			continue
		}
		seen++
		if seen > 4 {
			// bug: if seen > 3 {
			masked[i] = '*'
		}
	}
	return string(masked)
}

func TestMaskedCard(t *testing.T) {
	assert := assert.New(t)
	assert.Equal("**** 5678", MaskedCard("1234 5678"))
	assert.Equal("123", MaskedCard("123"))
	assert.Equal("*2345", MaskedCard("12345"))
	assert.Equal("", MaskedCard(""))
	assert.Equal("* * 3 4 5 6", MaskedCard("1 2 3 4 5 6"))
}
