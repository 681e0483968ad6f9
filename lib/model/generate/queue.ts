export interface Queue<Item> {
  readonly size: number;
  readonly lowest: Item | undefined;
  add(item: Item): void;
  takeHighest(): Item | undefined;
  takeLowest(): Item | undefined;
}

/** Priority queue, highest number first; among equals the item added last comes first. */
export function createQueue<Item>(weightOf: (item: Item) => number): Queue<Item> {
  const items: { readonly item: Item; readonly weight: number }[] = [];
  return {
    get size() {
      return items.length;
    },
    get lowest() {
      return items[0]?.item;
    },
    add(item: Item) {
      const weight = weightOf(item);
      let from = 0;
      for (let to = items.length; from < to; ) {
        const middle = (from + to) >> 1;
        if ((items[middle]?.weight ?? 0) <= weight) from = middle + 1;
        else to = middle;
      }
      items.splice(from, 0, { item, weight });
    },
    takeHighest: () => items.pop()?.item,
    takeLowest: () => items.shift()?.item,
  };
}
