// operator misuse, incorrect output
/* The rank of every player: 1 and the number of players with more points.
  >>> playerRanks([30, 50, 30])
  [2, 1, 2]
  */
const playerRanks = (points) => {
  return points.map((own) => 1 + points.filter((other) => other > own).length);
  // bug: return points.map((own) => 1 + points.filter((other) => other >= own).length);
}

const testPlayerRanks = () => {
  console.assert(JSON.stringify(playerRanks([30, 50, 30])) === '[2,1,2]')
  console.assert(JSON.stringify(playerRanks([])) === '[]')
  console.assert(JSON.stringify(playerRanks([7])) === '[1]')
  console.assert(JSON.stringify(playerRanks([1, 2, 3])) === '[3,2,1]')
  console.assert(JSON.stringify(playerRanks([4, 4, 4])) === '[1,1,1]')
  console.assert(JSON.stringify(playerRanks([10, 20, 20, 5])) === '[3,1,1,4]')
}
