// excess logic, incorrect output
/* How many pages a number of results fills, when so many of them fit on a page.
  >>> pageCount(21, 10)
  3
  >>> pageCount(20, 10)
  2
  */
const pageCount = (results, perPage) => {
  return Math.ceil(results / perPage);
  // bug: return Math.ceil(results / perPage) + 1;
}

const testPageCount = () => {
  console.assert(pageCount(21, 10) === 3)
  console.assert(pageCount(20, 10) === 2)
  console.assert(pageCount(0, 10) === 0)
  console.assert(pageCount(1, 10) === 1)
  console.assert(pageCount(10, 10) === 1)
  console.assert(pageCount(7, 1) === 7)
}
