/** The length of the common prefix of two lists. */
export function sharedLength(one: readonly number[], other: readonly number[]): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one[length] === other[length]) length++;
  return length;
}
