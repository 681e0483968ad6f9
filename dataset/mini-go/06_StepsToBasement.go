// value misuse, incorrect output
// StepsToBasement counts the moves of a lift until it is below floor 0 for the first time, starting there; -1 if it
// never is.
// >>> StepsToBasement([]int{1, -2, 5})
// 2
// >>> StepsToBasement([]int{1, 1})
// -1
func StepsToBasement(moves []int) int {
	floor := 0
	for i, move := range moves {
		floor += move
		if floor < 0 {
			// bug: if floor < 1 {
			return i + 1
		}
	}
	return -1
}

func TestStepsToBasement(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(2, StepsToBasement([]int{1, -2, 5}))
	assert.Equal(-1, StepsToBasement([]int{1, 1}))
	assert.Equal(1, StepsToBasement([]int{-1}))
	assert.Equal(3, StepsToBasement([]int{2, -2, -1}))
	assert.Equal(-1, StepsToBasement([]int{}))
}
