// missing logic, incorrect output
/* Turn a title into the last part of a web address: small letters, and one dash for everything
  between runs of letters and digits, but none at the start and the end.
  >>> slugOf('Hello, World!')
  'hello-world'
  >>> slugOf('  10 Tips  ')
  '10-tips'
  */
const slugOf = (title) => {
  const dashed = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return dashed.replace(/^-|-$/g, '');
  // bug: return dashed;
}

const testSlugOf = () => {
  console.assert(slugOf('Hello, World!') === 'hello-world')
  console.assert(slugOf('  10 Tips  ') === '10-tips')
  console.assert(slugOf('') === '')
  console.assert(slugOf('---') === '')
  console.assert(slugOf('already-fine') === 'already-fine')
  console.assert(slugOf('A & B & C') === 'a-b-c')
}
