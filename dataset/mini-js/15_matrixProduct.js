// operator misuse, incorrect output
/* The product of two matrices, given as lists of rows.
  >>> matrixProduct([[1, 2]], [[3], [4]])
  [[11]]
  >>> matrixProduct([[1, 0], [0, 1]], [[5, 6], [7, 8]])
  [[5, 6], [7, 8]]
  */
const matrixProduct = (left, right) => {
  return left.map((row) =>
    right[0].map((_, column) =>
      row.reduce((sum, value, index) => sum + value * right[index][column], 0)
      // bug: row.reduce((sum, value, index) => sum * value + right[index][column], 0)
    )
  );
}

const testMatrixProduct = () => {
  console.assert(JSON.stringify(matrixProduct([[1, 2]], [[3], [4]])) === '[[11]]')
  console.assert(JSON.stringify(matrixProduct([[1, 0], [0, 1]], [[5, 6], [7, 8]])) === '[[5,6],[7,8]]')
  console.assert(JSON.stringify(matrixProduct([[2]], [[3]])) === '[[6]]')
  console.assert(JSON.stringify(matrixProduct([[1], [2]], [[3, 4]])) === '[[3,4],[6,8]]')
  console.assert(JSON.stringify(matrixProduct([[1, 2], [3, 4]], [[0, 1], [1, 0]])) === '[[2,1],[4,3]]')
}
