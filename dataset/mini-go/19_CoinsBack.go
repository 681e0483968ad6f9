// operator misuse, incorrect output
// CoinsBack gives the fewest coins of 50, 20, 10, 5, 2 and 1 cents that make an amount, the greatest first.
// >>> CoinsBack(73)
// []int{50, 20, 2, 1}
func CoinsBack(cents int) []int {
	coins := []int{}
	for _, coin := range []int{50, 20, 10, 5, 2, 1} {
		for cents >= coin {
			// bug: for cents > coin {
			coins = append(coins, coin)
			cents -= coin
		}
	}
	return coins
}

func TestCoinsBack(t *testing.T) {
	assert := assert.New(t)
	assert.Equal([]int{50, 20, 2, 1}, CoinsBack(73))
	assert.Equal([]int{}, CoinsBack(0))
	assert.Equal([]int{20, 20}, CoinsBack(40))
	assert.Equal([]int{5, 2, 2}, CoinsBack(9))
	assert.Equal([]int{50, 50, 50}, CoinsBack(150))
}
