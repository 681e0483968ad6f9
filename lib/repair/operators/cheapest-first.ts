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
  const isBefore = (index: number, other: number): boolean => {
    const [a, b] = [heap[index], heap[other]];
    if (!a || !b) return a !== undefined;
    return (compare(a.value, b.value) || a.number - b.number) < 0;
  };
  const swap = (index: number, other: number): void => {
    const [a, b] = [heap[index], heap[other]];
    if (a && b) [heap[index], heap[other]] = [b, a];
  };
  return {
    add(value) {
      let index = heap.push({ value, number: count++ }) - 1;
      for (let above = (index - 1) >> 1; index > 0 && isBefore(index, above); above = (index - 1) >> 1) {
        swap(index, above);
        index = above;
      }
    },
    take() {
      swap(0, heap.length - 1);
      const taken = heap.pop();
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2];
        const below = isBefore(right, left) ? right : left;
        if (!isBefore(below, index)) return taken?.value;
        swap(index, below);
        index = below;
      }
    },
  };
}
