import { type Atoms, headOf } from './atoms.ts';
import { type DecodeOptions, decodeGraph } from './decode-graph.ts';
import type { Intrinsics, Kind } from './intrinsics.ts';
import {
  createSharedObjects,
  type Entry,
  type SharedObjects,
  type SharedObjectsOptions,
  Stayed,
} from './shared-objects.ts';
import { primitiveSlot } from './slots.ts';
import { broken, type Graph, MAX_VALUES, Refusal, type Row, type Slot } from './wire.ts';

/** One side's half of all shared objects: its own, and mirrors of the other side's. */
export interface Mirror {
  /** Describes values, and changes since the last message. Throws a Refusal for values that cannot cross. */
  encode(values: readonly unknown[]): Graph;
  /**
   * Applies the changes and builds the values. Throws a Refusal if the graph is inconsistent: it may come
   * from a process that was taken over.
   */
  decode(graph: Graph): unknown[];
  /** Whether a value is a stand-in for something of the other side. */
  isTheirs(value: unknown): boolean;
  /** An object of this side by the number that the other side knows it by, if it has that kind. */
  own(id: unknown, kind: 'function' | 'iterator'): object | undefined;
  /** The number of an object of this side for which the other side has one of its own. */
  offer(object: object): number;
  /** Takes an object of this side for one that the other side has offered. */
  adopt(id: number, object: object): void;
}

export interface MirrorOptions extends DecodeOptions, SharedObjectsOptions {
  /** Called at least once for each promise of this side that is sent. */
  promised(promise: Promise<unknown>, id: number): void;
}

export function createMirror(options: MirrorOptions): Mirror {
  const shared = createSharedObjects(options);
  return {
    encode: values => encodeValues(values, shared, options),
    decode(graph) {
      try {
        return decodeGraph(graph, shared, options);
      } catch (problem) {
        throw problem instanceof Refusal ? problem : broken();
      }
    },
    isTheirs: value => shared.of(value as object)?.owner === 'yours',
    own(id, kind) {
      const entry = Number.isSafeInteger(id) ? shared.mine[id as number] : undefined;
      return entry && (entry.kind === kind || entry.kind === `async ${kind}`) ? entry.object : undefined;
    },
    offer(object) {
      const entry = shared.of(object) ?? shared.add(object);
      shared.watch(entry, shared.stateOf(entry));
      return entry.id;
    },
    adopt(id, object) {
      const kind = shared.kindOf(object);
      const entry = shared.addMirror(id, object, kind, headOf(object, kind));
      shared.watch(entry, shared.stateOf(entry));
    },
  };
}

/** For copies of values on the same side, which concern no other side and have no functions. */
export function createCopier(intrinsics: Intrinsics): Mirror {
  const stays = (): never => {
    throw intrinsics.newTypeError('A copy has no functions.');
  };
  const nothing = (): void => {};
  return createMirror({
    intrinsics,
    call: stays,
    step: stays,
    expect: nothing,
    promised: nothing,
    refuse: stays,
  });
}

/** Describes values, and changes since the last message. Throws a Refusal for values that cannot cross. */
function encodeValues(
  values: readonly unknown[],
  shared: SharedObjects,
  { intrinsics: { builtins }, promised }: MirrorOptions,
): Graph {
  let left = MAX_VALUES;
  const spend = (count: number): void => {
    left -= count;
    if (left < 0) throw new Refusal(`more than ${MAX_VALUES} values at once`);
  };
  const waiting = new Map<Entry, Atoms | undefined>();
  const created: Entry[] = [];

  const entryOf = (object: object): Entry => {
    const known = shared.of(object);
    if (known) return known;
    const entry = shared.add(object);
    // A function whose prototype did not need to be sent before has a relevant one now.
    const maker = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
    const made = typeof maker === 'function' ? shared.of(maker) : undefined;
    if (made) {
      // Again, if it was described before its prototype was.
      waiting.delete(made);
      waiting.set(made, undefined);
    }
    created.push(entry);
    return entry;
  };
  const slot = (value: unknown): Slot => {
    spend(1);
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    if (!isObject) return primitiveSlot(value);
    if (value instanceof Stayed) return ['stays', value.reason];
    const path = builtins.pathOf(value);
    if (path !== undefined) return ['builtin', path];
    const entry = entryOf(value);
    if (!entry.atoms && !waiting.has(entry)) waiting.set(entry, undefined);
    if (entry.kind === 'promise' && entry.owner === 'mine') promised(value as Promise<unknown>, entry.id);
    return [entry.owner, entry.id];
  };
  /** The value of a property may stay behind on its own. */
  const loose = (value: unknown): Slot => {
    try {
      return slot(value);
    } catch (problem) {
      if (problem instanceof Refusal && left >= 0) return ['stays', problem.reason];
      throw problem;
    }
  };

  for (const [entry, atoms] of shared.changed()) waiting.set(entry, atoms);
  try {
    const roots = values.map(slot);
    const rows: Row[] = [];
    for (const [entry, known] of waiting) {
      const atoms = known ?? shared.stateOf(entry, spend);
      const isStrict = holdsContents.has(entry.kind);
      // An object without its prototype would be another one.
      const parts = atoms.map((atom, i) => (isStrict || i === 0 ? slot(atom) : loose(atom)));
      rows.push([entry.owner, entry.id, entry.kind, entry.head.map(slot), parts]);
      shared.watch(entry, atoms);
    }
    return { roots, rows };
  } catch (problem) {
    // Nothing of it is sent.
    shared.forget(created);
    for (const entry of waiting.keys()) if (entry.atoms) shared.watch(entry, unsent);
    throw problem;
  }
}

const holdsContents: ReadonlySet<Kind> = new Set<Kind>(['array', 'map', 'set']);
/** Differs from every value. */
const unsent: Atoms = [NaN, NaN];
