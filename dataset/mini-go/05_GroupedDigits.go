// missing logic, incorrect output
import (
	"strconv"
)

// GroupedDigits writes a whole number with a comma before every group of three digits.
// >>> GroupedDigits(1234567)
// "1,234,567"
// >>> GroupedDigits(-1000)
// "-1,000"
func GroupedDigits(number int64) string {
	sign := ""
	if number < 0 {
		sign, number = "-", -number
		// bug: number = -number
	}
	digits := strconv.FormatInt(number, 10)
	text := ""
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			text += ","
		}
		text += string(digit)
	}
	return sign + text
}

func TestGroupedDigits(t *testing.T) {
	assert := assert.New(t)
	assert.Equal("1,234,567", GroupedDigits(1234567))
	assert.Equal("-1,000", GroupedDigits(-1000))
	assert.Equal("0", GroupedDigits(0))
	assert.Equal("999", GroupedDigits(999))
	assert.Equal("-12", GroupedDigits(-12))
	assert.Equal("9,000,000,000", GroupedDigits(9000000000))
}
