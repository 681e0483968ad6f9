// value misuse, infinite loop
/* Split a list into lists of a given size, the last of which may be shorter.
  >>> chunked([1, 2, 3, 4, 5], 2)
  [[1, 2], [3, 4], [5]]
  */
const chunked = (list, size) => {
  const chunks = [];
  let start = 0;
  while (start < list.length) {
    chunks[Math.floor(start / size)] = list.slice(start, start + size);
    start += size;
    // bug: start += 0;
  }
  return chunks;
}

const testChunked = () => {
  console.assert(JSON.stringify(chunked([1, 2, 3, 4, 5], 2)) === '[[1,2],[3,4],[5]]')
  console.assert(JSON.stringify(chunked([], 3)) === '[]')
  console.assert(JSON.stringify(chunked([1], 3)) === '[[1]]')
  console.assert(JSON.stringify(chunked([1, 2, 3, 4], 4)) === '[[1,2,3,4]]')
  console.assert(JSON.stringify(chunked(['a', 'b', 'c'], 1)) === '[["a"],["b"],["c"]]')
}
