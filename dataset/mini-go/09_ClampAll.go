// function misuse, incorrect output
// ClampAll changes values in place so that none is below a least or above a greatest one, and tells how many it changed.
// >>> ClampAll([]int{-5, 3, 12}, 0, 10)
// 2
func ClampAll(values []int, least, greatest int) int {
	changed := 0
	for i, value := range values {
		if value < least {
			values[i] = least
			changed++
		} else if value > greatest {
			values[i] = greatest
			// bug: values[i] = least
			changed++
		}
	}
	return changed
}

func TestClampAll(t *testing.T) {
	assert := assert.New(t)
	values := []int{-5, 3, 12}
	assert.Equal(2, ClampAll(values, 0, 10))
	assert.Equal([]int{0, 3, 10}, values)
	assert.Equal(0, ClampAll(nil, 1, 2))
	same := []int{1, 1, 2}
	assert.Equal(0, ClampAll(same, 1, 2))
	assert.Equal([]int{1, 1, 2}, same)
}
