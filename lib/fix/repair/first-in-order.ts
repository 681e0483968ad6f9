/**
 * Tries items in their order, some at once, and gives the first that succeeds: of two that do, the one that comes
 * first, whichever ends first. Nothing new is begun once one has succeeded, or `isOver`.
 */
export async function firstInOrder<Item, Success>(
  items: readonly Item[],
  atOnce: number,
  attempt: (item: Item, place: number, worker: number) => Promise<Success | null>,
  isOver: () => boolean,
): Promise<Success | null> {
  let next = 0;
  const successes = new Map<number, Success>();
  const work = async (worker: number): Promise<void> => {
    while (next < items.length && successes.size === 0 && !isOver()) {
      const place = next++;
      const success = await attempt(items[place] as Item, place, worker);
      if (success !== null) successes.set(place, success);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, worker) => work(worker)));
  const first = Math.min(...successes.keys());
  return successes.get(first) ?? null;
}
