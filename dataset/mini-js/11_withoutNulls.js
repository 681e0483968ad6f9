// excess logic, incorrect output
/* A copy of an object without the keys whose value is null or undefined.
  >>> withoutNulls({ a: 1, b: null, c: 0 })
  { a: 1, c: 0 }
  */
const withoutNulls = (object) => {
  const kept = {};
  for (const [key, value] of Object.entries(object)) {
    if (value !== null && value !== undefined) kept[key] = value;
    // bug: if (value !== null && value !== undefined && value) kept[key] = value;
  }
  return kept;
}

const testWithoutNulls = () => {
  console.assert(JSON.stringify(withoutNulls({ a: 1, b: null, c: 0 })) === '{"a":1,"c":0}')
  console.assert(JSON.stringify(withoutNulls({})) === '{}')
  console.assert(JSON.stringify(withoutNulls({ x: undefined })) === '{}')
  console.assert(JSON.stringify(withoutNulls({ x: '', y: false })) === '{"x":"","y":false}')
  console.assert(JSON.stringify(withoutNulls({ x: [null], y: null })) === '{"x":[null]}')
  console.assert(!('x' in withoutNulls({ x: undefined })))
}
