import type { Atoms } from './atoms.ts';
import type { Builtins } from './builtins.ts';
import type { Kind } from './intrinsics.ts';
import { type Entry, type SharedObjects, Stayed } from './shared-objects.ts';
import { primitiveSlot } from './slots.ts';
import { type Graph, MAX_VALUES, Refusal, type Row, type Slot } from './wire.ts';

export interface EncodeOptions {
  readonly builtins: Pick<Builtins, 'pathOf'>;
  /** Called at least once for each promise of this side that is sent. */
  promised(promise: Promise<unknown>, id: number): void;
}

/** Describes values, and changes since the last message. Throws a Refusal for values that cannot cross. */
export function encodeValues(
  values: readonly unknown[],
  shared: SharedObjects,
  { builtins, promised }: EncodeOptions,
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
