// missing logic, incorrect output
/* The names of the tags that are still open at the end of a piece of HTML, outermost first. Tags have no
  attributes, and a closing tag closes the one that was opened last.
  >>> openTags('<p>some <b>bold</b> text')
  ['p']
  >>> openTags('<ul><li>one')
  ['ul', 'li']
  */
const openTags = (html) => {
  const open = [];
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z]+)>/g)) {
    if (!slash) open.push(name);
    else open.pop();
    // bug drops 1 line
  }
  return open;
}

const testOpenTags = () => {
  console.assert(JSON.stringify(openTags('<p>some <b>bold</b> text')) === '["p"]')
  console.assert(JSON.stringify(openTags('<ul><li>one')) === '["ul","li"]')
  console.assert(JSON.stringify(openTags('')) === '[]')
  console.assert(JSON.stringify(openTags('1 < 2 > 1')) === '[]')
  console.assert(JSON.stringify(openTags('<b></b>')) === '[]')
  console.assert(JSON.stringify(openTags('<div><p></p><p>')) === '["div","p"]')
}
