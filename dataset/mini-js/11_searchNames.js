// excess logic, incorrect output
/* The names that have a query somewhere in them, capital and small letters being the same. An empty query finds
  all names.
  >>> searchNames(['Ann', 'Hannah', 'Bob'], 'ann')
  ['Ann', 'Hannah']
  */
const searchNames = (names, query) => {
  const wanted = query.toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(wanted));
  // bug: return names.filter((name) => name.toLowerCase().includes(wanted) && name !== names[0]);
}

const testSearchNames = () => {
  console.assert(JSON.stringify(searchNames(['Ann', 'Hannah', 'Bob'], 'ann')) === '["Ann","Hannah"]')
  console.assert(JSON.stringify(searchNames([], 'x')) === '[]')
  console.assert(JSON.stringify(searchNames(['Zoe'], '')) === '["Zoe"]')
  console.assert(JSON.stringify(searchNames(['Zoe', 'Ed'], 'E')) === '["Zoe","Ed"]')
  console.assert(JSON.stringify(searchNames(['Zoe', 'Ed'], 'edd')) === '[]')
  console.assert(JSON.stringify(searchNames(['de la Cruz'], 'LA C')) === '["de la Cruz"]')
}
