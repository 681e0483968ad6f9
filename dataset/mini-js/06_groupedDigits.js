// value misuse, incorrect output
/* Write a whole number with a comma before every group of three digits.
  >>> groupedDigits(1234567)
  '1,234,567'
  >>> groupedDigits(-1000)
  '-1,000'
  */
const groupedDigits = (number) => {
  const sign = number < 0 ? '-' : '';
  let digits = String(Math.abs(number));
  const groups = [];
  while (digits.length > 3) {
    groups.unshift(digits.slice(-3));
    digits = digits.slice(0, -3);
    // bug: digits = digits.slice(0, -2);
  }
  groups.unshift(digits);
  return sign + groups.join(',');
}

const testGroupedDigits = () => {
  console.assert(groupedDigits(1234567) === '1,234,567')
  console.assert(groupedDigits(-1000) === '-1,000')
  console.assert(groupedDigits(0) === '0')
  console.assert(groupedDigits(999) === '999')
  console.assert(groupedDigits(-12) === '-12')
  console.assert(groupedDigits(100000) === '100,000')
}
