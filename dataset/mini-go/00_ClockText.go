// value misuse, incorrect output
import (
	"fmt"
)

// ClockText writes a number of minutes after midnight as a time of the day with two digits each. A day is over after
// 1440 minutes, and the next one begins.
// >>> ClockText(425)
// "07:05"
// >>> ClockText(1450)
// "00:10"
func ClockText(minutes int) string {
	hour := minutes / 60 % 24
	// bug: hour := minutes / 60 % 12
	return fmt.Sprintf("%02d:%02d", hour, minutes%60)
}

func TestClockText(t *testing.T) {
	assert := assert.New(t)
	assert.Equal("07:05", ClockText(425))
	assert.Equal("00:00", ClockText(0))
	assert.Equal("23:59", ClockText(1439))
	assert.Equal("12:00", ClockText(720))
	assert.Equal("00:10", ClockText(1450))
}
