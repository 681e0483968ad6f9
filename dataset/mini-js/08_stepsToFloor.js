// operator misuse, incorrect output
/* How many floors a lift moves that stops at all of the floors in turn, beginning at floor 0.
  >>> stepsToFloor([3, 1])
  5
  >>> stepsToFloor([-1])
  1
  */
const stepsToFloor = (stops) => {
  let floor = 0;
  let moved = 0;
  for (const stop of stops) {
    moved += Math.abs(stop - floor);
    // bug: moved += Math.abs(stop + floor);
    floor = stop;
  }
  return moved;
}

const testStepsToFloor = () => {
  console.assert(stepsToFloor([3, 1]) === 5)
  console.assert(stepsToFloor([-1]) === 1)
  console.assert(stepsToFloor([]) === 0)
  console.assert(stepsToFloor([0]) === 0)
  console.assert(stepsToFloor([4, 4, 4]) === 4)
  console.assert(stepsToFloor([2, -2, 5]) === 13)
}
