// value misuse, incorrect output
/* What a buffer with room for so many values holds after all values were put into it, oldest first: when it is
  full, each value pushes out the oldest one.
  >>> ringBuffer([1, 2, 3, 4], 3)
  [2, 3, 4]
  */
const ringBuffer = (values, room) => {
  const held = [];
  for (const value of values) {
    held.push(value);
    if (held.length > room) held.splice(0, 1);
    // bug: if (held.length > room) held.splice(1, 1);
  }
  return held;
}

const testRingBuffer = () => {
  console.assert(JSON.stringify(ringBuffer([1, 2, 3, 4], 3)) === '[2,3,4]')
  console.assert(JSON.stringify(ringBuffer([], 3)) === '[]')
  console.assert(JSON.stringify(ringBuffer([1, 2], 3)) === '[1,2]')
  console.assert(JSON.stringify(ringBuffer([1, 2, 3], 1)) === '[3]')
  console.assert(JSON.stringify(ringBuffer([5, 6, 7, 8, 9], 2)) === '[8,9]')
  console.assert(JSON.stringify(ringBuffer(['a'], 0)) === '[]')
}
