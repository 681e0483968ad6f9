/** Numbers for what crosses by reference: this side's functions, promises and iterators, and the other's. */
export interface Handles {
  /** The number under which the other side knows something of ours. */
  give(own: object): number;
  /** Undefined for what was never given, whatever `id` is. */
  own(id: unknown): object | undefined;
  /** What stands here for the other side's number; `make` builds it the first time. */
  take<T extends object>(id: number, make: () => T): T;
  /** The other side's number of a stand-in; undefined if it is no stand-in. */
  foreign(standIn: object): number | undefined;
}

export function createHandles(): Handles {
  const owned: object[] = [];
  const ids = new Map<object, number>();
  const standIns = new Map<number, object>();
  const foreignIds = new WeakMap<object, number>();
  return {
    give(own) {
      const known = ids.get(own);
      if (known !== undefined) return known;
      ids.set(own, owned.length);
      return owned.push(own) - 1;
    },
    own: id => (Number.isSafeInteger(id) ? owned[id as number] : undefined),
    take<T extends object>(id: number, make: () => T): T {
      const known = standIns.get(id);
      if (known) return known as T;
      const made = make();
      standIns.set(id, made);
      foreignIds.set(made, id);
      return made;
    },
    foreign: standIn => foreignIds.get(standIn),
  };
}
