// variable misuse, incorrect output
/* Who joined and who left between two lists of names, each in the order of the list that has them.
  >>> rosterChanges(['ann', 'bob'], ['bob', 'cid'])
  { joined: ['cid'], left: ['ann'] }
  */
const rosterChanges = (before, after) => {
  const joined = after.filter((name) => !before.includes(name));
  const left = before.filter((name) => !after.includes(name));
  // bug: const left = before.filter((name) => !before.includes(name));
  return { joined, left };
}

const testRosterChanges = () => {
  const changes = (before, after) => JSON.stringify(rosterChanges(before, after))
  console.assert(changes(['ann', 'bob'], ['bob', 'cid']) === '{"joined":["cid"],"left":["ann"]}')
  console.assert(changes([], []) === '{"joined":[],"left":[]}')
  console.assert(changes([], ['b', 'a']) === '{"joined":["b","a"],"left":[]}')
  console.assert(changes(['b', 'a'], []) === '{"joined":[],"left":["b","a"]}')
  console.assert(changes(['x', 'y'], ['y', 'x']) === '{"joined":[],"left":[]}')
}
