// value misuse, incorrect output
/* How many levels a menu has, whose entries have a name and may have entries of their own as items; an empty
  menu has none.
  >>> treeDepth([{ name: 'File', items: [{ name: 'Open' }] }])
  2
  >>> treeDepth([])
  0
  */
const treeDepth = (menu) => {
  let deepest = 0;
  for (const entry of menu) {
    const depth = 1 + treeDepth(entry.items || []);
    // bug: const depth = 2 + treeDepth(entry.items || []);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const testTreeDepth = () => {
  console.assert(treeDepth([{ name: 'File', items: [{ name: 'Open' }] }]) === 2)
  console.assert(treeDepth([]) === 0)
  console.assert(treeDepth([{ name: 'Quit' }]) === 1)
  console.assert(treeDepth([{ name: 'a', items: [] }]) === 1)
  console.assert(treeDepth([{ name: 'a', items: [{ name: 'b' }] }, { name: 'c' }]) === 2)
  console.assert(treeDepth([{ name: 'a', items: [{ name: 'b', items: [{ name: 'c' }] }] }]) === 3)
}
