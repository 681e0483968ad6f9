// value misuse, infinite loop
/* How often a colony of bacteria must double until it has reached a goal.
  >>> doublings(3, 20)
  3
  >>> doublings(8, 8)
  0
  */
const doublings = (size, goal) => {
  let times = 0;
  while (size < goal) {
    size *= 2;
    // bug: size *= 1;
    times += 1;
  }
  return times;
}

const testDoublings = () => {
  console.assert(doublings(3, 20) === 3)
  console.assert(doublings(8, 8) === 0)
  console.assert(doublings(9, 8) === 0)
  console.assert(doublings(1, 2) === 1)
  console.assert(doublings(1, 1000) === 10)
  console.assert(doublings(5, 80) === 4)
}
