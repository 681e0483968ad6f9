/** Values in the order of their costs, and those of equal costs in the order in which they were added. */
interface Queue<Value> {
  add(value: Value): void;
  /** Removes and gives the first value. */
  take(): Value | undefined;
}

/** A binary heap: both take time logarithmic in the number of values, of which a long function has 100,000. */
export function createQueue<Value>(compare: (one: Value, other: Value) => number): Queue<Value> {
  const heap: { readonly value: Value; readonly number: number }[] = [];
  let count = 0;
  const isBefore = (at: number, other: number): boolean => {
    const [a, b] = [heap[at], heap[other]];
    if (!a || !b) return a !== undefined;
    return (compare(a.value, b.value) || a.number - b.number) < 0;
  };
  const swap = (at: number, other: number): void => {
    const [a, b] = [heap[at], heap[other]];
    if (a && b) [heap[at], heap[other]] = [b, a];
  };
  return {
    add(value) {
      let at = heap.push({ value, number: count++ }) - 1;
      for (let above = (at - 1) >> 1; at > 0 && isBefore(at, above); above = (at - 1) >> 1) {
        swap(at, above);
        at = above;
      }
    },
    take() {
      swap(0, heap.length - 1);
      const taken = heap.pop();
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const below = isBefore(right, left) ? right : left;
        if (!isBefore(below, at)) return taken?.value;
        swap(at, below);
        at = below;
      }
    },
  };
}
