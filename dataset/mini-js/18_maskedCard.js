// excess logic, incorrect output
/* A card number with a star in place of every digit but the last four; spaces stay where they are.
  >>> maskedCard('4111 2222 3333 4444')
  '**** **** **** 4444'
  >>> maskedCard('123')
  '123'
  */
const maskedCard = (number) => {
  const digits = number.replace(/ /g, '').length;
  let seen = 0;
  return number.replace(/\d/g, (digit) => {
    seen += 1;
    // bug adds: seen += 1;
    return seen > digits - 4 ? digit : '*';
  });
}

const testMaskedCard = () => {
  console.assert(maskedCard('4111 2222 3333 4444') === '**** **** **** 4444')
  console.assert(maskedCard('123') === '123')
  console.assert(maskedCard('') === '')
  console.assert(maskedCard('1234') === '1234')
  console.assert(maskedCard('12345') === '*2345')
  console.assert(maskedCard('1000 0000') === '**** 0000')
  console.assert(maskedCard('5 6 7 8 9') === '* 6 7 8 9')
}
