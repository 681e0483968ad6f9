// variable misuse, incorrect output
// MatrixProduct multiplies two matrices, given as lists of rows; the first has as many columns as the second has rows.
// >>> MatrixProduct([][]int{{1, 2}, {3, 4}}, [][]int{{0, 1}, {1, 0}})
// [][]int{{2, 1}, {4, 3}}
func MatrixProduct(left, right [][]int) [][]int {
	product := make([][]int, len(left))
	for r, row := range left {
		product[r] = make([]int, len(right[0]))
		for c := range product[r] {
			for i, value := range row {
				product[r][c] += value * right[i][c]
				// bug: product[r][c] += value * right[i][i]
			}
		}
	}
	return product
}

func TestMatrixProduct(t *testing.T) {
	assert := assert.New(t)
	assert.Equal([][]int{{2, 1}, {4, 3}}, MatrixProduct([][]int{{1, 2}, {3, 4}}, [][]int{{0, 1}, {1, 0}}))
	assert.Equal([][]int{{6}}, MatrixProduct([][]int{{2}}, [][]int{{3}}))
	assert.Equal([][]int{{4, 5}}, MatrixProduct([][]int{{1, 1}}, [][]int{{1, 2}, {3, 3}}))
	assert.Equal([][]int{{0, 0}, {0, 0}}, MatrixProduct([][]int{{0}, {0}}, [][]int{{7, 8}}))
	assert.Equal([][]int{}, MatrixProduct([][]int{}, [][]int{{1}}))
}
