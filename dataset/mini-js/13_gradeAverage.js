// value misuse, incorrect output
/* The mean of some grades, rounded to one digit after the point; null if there are none.
  >>> gradeAverage([1, 2, 2])
  1.7
  >>> gradeAverage([])
  null
  */
const gradeAverage = (grades) => {
  if (grades.length === 0) return null;
  const mean = grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  // bug: const mean = grades.reduce((sum, grade) => sum + grade, 1) / grades.length;
  return Math.round(mean * 10) / 10;
}

const testGradeAverage = () => {
  console.assert(gradeAverage([1, 2, 2]) === 1.7)
  console.assert(gradeAverage([]) === null)
  console.assert(gradeAverage([3]) === 3)
  console.assert(gradeAverage([1, 2]) === 1.5)
  console.assert(gradeAverage([0, 0, 0, 1]) === 0.3)
  console.assert(gradeAverage([5, 5, 5, 4]) === 4.8)
}
