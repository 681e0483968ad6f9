// variable misuse, incorrect output
/* Merge two lists of numbers, each in rising order, into one in rising order.
  >>> mergedSorted([1, 4], [2, 3, 5])
  [1, 2, 3, 4, 5]
  >>> mergedSorted([9], [1, 2])
  [1, 2, 9]
  */
const mergedSorted = (left, right) => {
  const merged = [];
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    if (left[l] <= right[r]) merged.push(left[l++]);
    else merged.push(right[r++]);
  }
  return merged.concat(left.slice(l), right.slice(r));
  // bug: return merged.concat(left.slice(l), right.slice(l));
}

const testMergedSorted = () => {
  console.assert(JSON.stringify(mergedSorted([1, 4], [2, 3, 5])) === '[1,2,3,4,5]')
  console.assert(JSON.stringify(mergedSorted([], [])) === '[]')
  console.assert(JSON.stringify(mergedSorted([], [1, 2])) === '[1,2]')
  console.assert(JSON.stringify(mergedSorted([3], [])) === '[3]')
  console.assert(JSON.stringify(mergedSorted([1, 1], [1])) === '[1,1,1]')
  console.assert(JSON.stringify(mergedSorted([9], [1, 2, 3])) === '[1,2,3,9]')
  console.assert(JSON.stringify(mergedSorted([1, 2, 3], [9, 10])) === '[1,2,3,9,10]')
}
