// missing logic, incorrect output
/* How many of the words begin with each letter, capital and small letters being the same.
  >>> lettersCounted(['apple', 'Ant', 'bee'])
  { a: 2, b: 1 }
  */
const lettersCounted = (words) => {
  const counts = {};
  for (const word of words) {
    const letter = word[0].toLowerCase();
    counts[letter] = (counts[letter] || 0) + 1;
    // bug: counts[letter] = 1;
  }
  return counts;
}

const testLettersCounted = () => {
  console.assert(JSON.stringify(lettersCounted(['apple', 'Ant', 'bee'])) === JSON.stringify({ a: 2, b: 1 }))
  console.assert(JSON.stringify(lettersCounted([])) === '{}')
  console.assert(JSON.stringify(lettersCounted(['x'])) === JSON.stringify({ x: 1 }))
  console.assert(JSON.stringify(lettersCounted(['To', 'be', 'or', 'to', 'Be'])) === JSON.stringify({ t: 2, b: 2, o: 1 }))
  console.assert(JSON.stringify(lettersCounted(['A', 'a', 'a'])) === JSON.stringify({ a: 3 }))
}
