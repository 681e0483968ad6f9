// function misuse, incorrect output
/* The posts ordered by their day, as in '2024-05-01', the latest one first. The given list stays as it is.
  >>> latestFirst([{ id: 1, day: '2024-03-01' }, { id: 2, day: '2024-01-02' }]).map((post) => post.id)
  [1, 2]
  */
const latestFirst = (posts) => {
  const copy = posts.slice();
  return copy.sort((a, b) => b.day.localeCompare(a.day));
  // bug: return copy.reverse();
}

const testLatestFirst = () => {
  const ids = (posts) => JSON.stringify(latestFirst(posts).map((post) => post.id))
  console.assert(ids([{ id: 1, day: '2024-01-02' }, { id: 2, day: '2024-03-01' }]) === '[2,1]')
  console.assert(ids([]) === '[]')
  console.assert(ids([{ id: 2, day: '2024-03-01' }, { id: 1, day: '2024-01-02' }]) === '[2,1]')
  console.assert(ids([{ id: 1, day: '2023-12-31' }, { id: 2, day: '2024-01-01' }, { id: 3, day: '2023-01-01' }]) === '[2,1,3]')
  const posts = [{ id: 1, day: '2020-01-01' }, { id: 2, day: '2021-01-01' }]
  latestFirst(posts)
  console.assert(posts[0].id === 1)
}
