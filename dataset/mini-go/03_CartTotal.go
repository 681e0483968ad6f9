// missing logic, incorrect output
// CartTotal gives the price of a cart in cents, from pairs of a price and a quantity. Orders from 5000 cents on have no
// shipping, others add 490; an empty cart costs nothing.
// >>> CartTotal([][2]int{{250, 2}})
// 990
// >>> CartTotal([][2]int{{2500, 2}})
// 5000
func CartTotal(items [][2]int) int {
	total := 0
	for _, item := range items {
		total += item[0] * item[1]
	}
	if total == 0 || total >= 5000 {
		// bug: if total >= 5000 {
		return total
	}
	return total + 490
}

func TestCartTotal(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(990, CartTotal([][2]int{{250, 2}}))
	assert.Equal(5000, CartTotal([][2]int{{2500, 2}}))
	assert.Equal(0, CartTotal([][2]int{}))
	assert.Equal(1190, CartTotal([][2]int{{100, 1}, {200, 3}}))
	assert.Equal(5489, CartTotal([][2]int{{4999, 1}}))
}
