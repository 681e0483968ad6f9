/** The first of all items that are equal as JSON. */
export function withoutRepeats<Item>(items: readonly Item[]): Item[] {
  const keys = new Set<string>();
  return items.filter(item => {
    const key = JSON.stringify(item);
    return !keys.has(key) && keys.add(key);
  });
}
