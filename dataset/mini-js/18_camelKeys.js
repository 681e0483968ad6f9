// excess logic, incorrect output
/* Turn a name such as 'max_line_length' into 'maxLineLength'. Names without '_' stay as they are.
  >>> camelKeys('max_line_length')
  'maxLineLength'
  >>> camelKeys('width')
  'width'
  */
const camelKeys = (name) => {
  const [first, ...others] = name.split('_');
  const capitals = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return first + capitals.join('');
  // bug: return (first + capitals.join('')).toLowerCase();
}

const testCamelKeys = () => {
  console.assert(camelKeys('max_line_length') === 'maxLineLength')
  console.assert(camelKeys('width') === 'width')
  console.assert(camelKeys('') === '')
  console.assert(camelKeys('a_b') === 'aB')
  console.assert(camelKeys('already_camelCase') === 'alreadyCamelCase')
  console.assert(camelKeys('x_1_y') === 'x1Y')
}
