// missing logic, incorrect output
// PlayerRanks gives the rank of each player by points, 1 for the most. Equal points share the better rank, and the next
// ranks are skipped.
// >>> PlayerRanks([]int{10, 30, 10, 20})
// []int{3, 1, 3, 2}
func PlayerRanks(points []int) []int {
	ranks := make([]int, len(points))
	for i, own := range points {
		ranks[i] = 1
		// bug drops 1 line
		for _, other := range points {
			if other > own {
				ranks[i]++
			}
		}
	}
	return ranks
}

func TestPlayerRanks(t *testing.T) {
	assert := assert.New(t)
	assert.Equal([]int{3, 1, 3, 2}, PlayerRanks([]int{10, 30, 10, 20}))
	assert.Equal([]int{}, PlayerRanks([]int{}))
	assert.Equal([]int{1, 1}, PlayerRanks([]int{7, 7}))
	assert.Equal([]int{3, 2, 1}, PlayerRanks([]int{1, 2, 3}))
	assert.Equal([]int{1}, PlayerRanks([]int{-5}))
}
