// value misuse, incorrect output
/* Show the length of a song in seconds as minutes and seconds, the latter with two digits.
  >>> trackLength(75)
  '1:15'
  >>> trackLength(600)
  '10:00'
  */
const trackLength = (seconds) => {
  const minutes = Math.floor(seconds / 60);
  // bug: const minutes = Math.floor(seconds / 100);
  const rest = String(seconds % 60).padStart(2, '0');
  return `${minutes}:${rest}`;
}

const testTrackLength = () => {
  console.assert(trackLength(75) === '1:15')
  console.assert(trackLength(600) === '10:00')
  console.assert(trackLength(0) === '0:00')
  console.assert(trackLength(59) === '0:59')
  console.assert(trackLength(60) === '1:00')
  console.assert(trackLength(185) === '3:05')
}
