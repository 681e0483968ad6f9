// operator misuse, incorrect output
// MayRide tells whether somebody may ride: from 140 cm on everybody, from 120 cm on with an adult, below that nobody.
// >>> MayRide(140, false)
// true
// >>> MayRide(125, true)
// true
func MayRide(height int, withAdult bool) bool {
	if height >= 140 {
		return true
	}
	return height >= 120 && withAdult
	// bug: return height >= 120 || withAdult
}

func TestMayRide(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(true, MayRide(140, false))
	assert.Equal(true, MayRide(125, true))
	assert.Equal(false, MayRide(125, false))
	assert.Equal(false, MayRide(119, true))
	assert.Equal(true, MayRide(120, true))
}
