// operator misuse, incorrect output
/* Does a number lie between a low and a high bound, or on one of them?
  >>> isWithin(5, 1, 10)
  true
  >>> isWithin(11, 1, 10)
  false
  */
const isWithin = (number, low, high) => {
  return number >= low && number <= high;
  // bug: return number >= low || number <= high;
}

const testIsWithin = () => {
  console.assert(isWithin(5, 1, 10) === true)
  console.assert(isWithin(11, 1, 10) === false)
  console.assert(isWithin(0, 1, 10) === false)
  console.assert(isWithin(1, 1, 10) === true)
  console.assert(isWithin(10, 1, 10) === true)
  console.assert(isWithin(-3, -5, -4) === false)
}
