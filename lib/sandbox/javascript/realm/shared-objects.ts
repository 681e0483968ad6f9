import { type Atoms, atomsOf, headOf, sameAtoms } from './atoms.ts';
import type { Intrinsics, Kind } from './intrinsics.ts';
import { className, kindOf } from './kind-of.ts';
import { canCross } from './slots.ts';
import { MAX_WATCHED, Refusal } from './wire.ts';

/** An object that both sides know by a number: one of this side, or the mirror of one of the other. */
export interface Mirrored {
  readonly object: object;
  readonly owner: 'mine' | 'yours';
  readonly id: number;
  readonly kind: Kind;
}

export interface Entry extends Mirrored {
  /** The other side's state; undefined if it is no longer kept. */
  atoms: Atoms | undefined;
  head: readonly unknown[];
}

/** Stands in for a value that stayed on the other side. */
export class Stayed {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Kinds that are identified by their number only. */
export const opaque: ReadonlySet<Kind> = new Set<Kind>(['promise', 'iterator', 'async iterator']);

/** The objects that both sides know, each with the state in which the other side has it. */
export interface SharedObjects {
  /** Those of this side, by number. */
  readonly mine: readonly Entry[];
  /** Mirrors of those of the other side, by number. */
  readonly yours: ReadonlyMap<number, Entry>;
  /** Our getters and what they represent. */
  readonly originals: Map<unknown, unknown>;
  of(object: object): Entry | undefined;
  /** Gives an object of this side a number. Throws a Refusal if it must stay on this side. */
  add(object: object): Entry;
  addMirror(id: number, object: object, kind: Kind, head: readonly unknown[]): Entry;
  /** Forgets objects that were added and not sent. */
  forget(entries: readonly Entry[]): void;
  kindOf(object: object): Kind;
  /** The object's present state; `spend` is called with the number of its parts. */
  stateOf(entry: Entry, spend?: (count: number) => void): Atoms;
  /** Sets the state that the other side has. The objects watched longest are given up if all have too many parts. */
  watch(entry: Entry, atoms: Atoms): void;
  /** The objects whose state differs from what the other side has, and their present state. */
  changed(): [Entry, Atoms][];
}

export interface SharedObjectsOptions {
  readonly intrinsics: Intrinsics;
  /** Why an object of this side must not cross; undefined if it may. */
  stays?(object: object): string | undefined;
}

export function createSharedObjects({
  intrinsics,
  stays = () => undefined,
}: SharedObjectsOptions): SharedObjects {
  const { builtins } = intrinsics;
  const kinds = new Map<object, Kind>(intrinsics.prototypes);
  const mine: Entry[] = [];
  const yours = new Map<number, Entry>();
  const entries = new Map<object, Entry>();
  const originals = new Map<unknown, unknown>();
  const watched: Entry[] = [];
  let watchedParts = 0;

  /** A symbol of this side alone: what data has under it would be missed, what an instance has is its own affair. */
  const omits = ({ object, kind }: Entry): boolean => {
    const prototype = Object.getPrototypeOf(object) as object | null;
    const isData = prototype === null || builtins.pathOf(prototype) !== undefined;
    if (!isData || kind === 'function' || Object.hasOwn(object, 'constructor')) return true;
    throw new Refusal('an object with a symbol of its own as a key');
  };

  const shared: SharedObjects = {
    mine,
    yours,
    originals,
    of: object => entries.get(object),
    add(object) {
      const reason = intrinsics.isProxy(object) ? 'a Proxy, which cannot cross' : stays(object);
      if (reason !== undefined) throw new Refusal(reason);
      const kind = shared.kindOf(object);
      if (kind === 'uncopyable') throw new Refusal(`${article(className(object))}, which is no plain data`);
      const head = headOf(object, kind);
      const entry: Entry = { object, owner: 'mine', id: mine.length, kind, atoms: undefined, head };
      mine.push(entry);
      entries.set(object, entry);
      return entry;
    },
    addMirror(id, object, kind, head) {
      const entry: Entry = { object, owner: 'yours', id, kind, atoms: undefined, head };
      yours.set(id, entry);
      entries.set(object, entry);
      return entry;
    },
    forget(added) {
      for (const { object } of added) entries.delete(object);
    },
    kindOf: object => kindOf(object, kinds, candidate => builtins.pathOf(candidate) !== undefined),
    stateOf: (entry, spend = noLimit) =>
      opaque.has(entry.kind)
        ? []
        : atomsOf(entry.object, {
            kind: entry.kind,
            original: getter => (originals.has(getter) ? originals.get(getter) : getter),
            isPristine: prototype => !entries.has(prototype) && isPristine(prototype, entry.object, builtins),
            spend,
            omits: key => !canCross(key) && omits(entry),
          }),
    watch(entry, atoms) {
      if (entry.atoms) watchedParts += atoms.length - entry.atoms.length;
      else {
        watchedParts += atoms.length;
        watched.push(entry);
      }
      entry.atoms = atoms;
      while (watchedParts > MAX_WATCHED && watched[0] && watched[0] !== entry) {
        const oldest = watched.shift();
        watchedParts -= oldest?.atoms?.length ?? 0;
        if (oldest) oldest.atoms = undefined;
      }
    },
    changed() {
      const found: [Entry, Atoms][] = [];
      for (const entry of watched) {
        const atoms = shared.stateOf(entry);
        if (!entry.atoms || !sameAtoms(entry.atoms, atoms)) found.push([entry, atoms]);
      }
      return found;
    },
  };
  return shared;
}

const noLimit = (): void => {};

/** Whether a function's prototype is unchanged. */
function isPristine(prototype: unknown, maker: object, builtins: Intrinsics['builtins']): boolean {
  if (typeof prototype !== 'object' || prototype === null) return false;
  const keys = Reflect.ownKeys(prototype);
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const found = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (parent === null || builtins.pathOf(parent) === undefined) return false;
  // The prototype of a generator function has no constructor.
  return keys.length === 0 || (keys.length === 1 && found === maker);
}

function article(name: string): string {
  return /^[aeiou]/i.test(name) ? `an ${name}` : `a ${name}`;
}
