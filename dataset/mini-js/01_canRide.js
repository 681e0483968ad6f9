// operator misuse, incorrect output
/* May somebody ride the roller coaster? One must be 120 or taller and, without an adult, 10 or older.
  >>> canRide(140, 12, false)
  true
  >>> canRide(110, 12, true)
  false
  */
const canRide = (height, age, withAdult) => {
  return height >= 120 && (age >= 10 || withAdult);
  // bug: return height >= 120 || (age >= 10 || withAdult);
}

const testCanRide = () => {
  console.assert(canRide(140, 12, false) === true)
  console.assert(canRide(110, 12, true) === false)
  console.assert(canRide(120, 10, false) === true)
  console.assert(canRide(119, 40, false) === false)
  console.assert(canRide(130, 9, false) === false)
  console.assert(canRide(130, 9, true) === true)
}
