// operator misuse, incorrect output
// PagesFor tells how many pages hold some items; there is always one page, even without items.
// >>> PagesFor(21, 10)
// 3
// >>> PagesFor(0, 10)
// 1
func PagesFor(items, perPage int) int {
	if items == 0 {
		return 1
	}
	return (items + perPage - 1) / perPage
	// bug: return (items + perPage + 1) / perPage
}

func TestPagesFor(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(3, PagesFor(21, 10))
	assert.Equal(1, PagesFor(0, 10))
	assert.Equal(2, PagesFor(20, 10))
	assert.Equal(1, PagesFor(1, 10))
	assert.Equal(3, PagesFor(29, 10))
}
