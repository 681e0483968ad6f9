// missing logic, incorrect output
/* Do all round, square and curly brackets of a piece of code close in the right order?
  >>> bracketsMatch('f(a[1])')
  true
  >>> bracketsMatch('(]')
  false
  >>> bracketsMatch('((')
  false
  */
const bracketsMatch = (code) => {
  const closing = { '(': ')', '[': ']', '{': '}' };
  const expected = [];
  for (const char of code) {
    if (closing[char]) expected.push(closing[char]);
    else if (')]}'.includes(char) && expected.pop() !== char) return false;
  }
  return expected.length === 0;
  // bug: return true;
}

const testBracketsMatch = () => {
  console.assert(bracketsMatch('f(a[1])') === true)
  console.assert(bracketsMatch('(]') === false)
  console.assert(bracketsMatch('((') === false)
  console.assert(bracketsMatch('') === true)
  console.assert(bracketsMatch('}') === false)
  console.assert(bracketsMatch('{ x: [1, (2)] }') === true)
  console.assert(bracketsMatch('([)]') === false)
}
