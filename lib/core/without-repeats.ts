/** The first of all items that are equal as JSON. */
export function withoutRepeats<Item>(items: readonly Item[]): Item[] {
  const known = new Set<string>();
  return items.filter(item => {
    const key = JSON.stringify(item);
    return !known.has(key) && known.add(key);
  });
}
