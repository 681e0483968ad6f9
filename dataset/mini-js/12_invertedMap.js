// variable misuse, incorrect output
/* For every value of an object, the list of the keys that have it, in their order.
  >>> invertedMap({ ann: 'red', bob: 'blue', cid: 'red' })
  { red: ['ann', 'cid'], blue: ['bob'] }
  */
const invertedMap = (object) => {
  const inverted = {};
  for (const [key, value] of Object.entries(object)) {
    if (!inverted[value]) inverted[value] = [];
    inverted[value].push(key);
    // bug: inverted[value].push(value);
  }
  return inverted;
}

const testInvertedMap = () => {
  console.assert(
    JSON.stringify(invertedMap({ ann: 'red', bob: 'blue', cid: 'red' })) === '{"red":["ann","cid"],"blue":["bob"]}'
  )
  console.assert(JSON.stringify(invertedMap({})) === '{}')
  console.assert(JSON.stringify(invertedMap({ a: 'x' })) === '{"x":["a"]}')
  console.assert(JSON.stringify(invertedMap({ a: 1, b: 1 })) === '{"1":["a","b"]}')
  console.assert(JSON.stringify(invertedMap({ a: 'b', b: 'a' })) === '{"b":["a"],"a":["b"]}')
}
