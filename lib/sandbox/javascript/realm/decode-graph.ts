import { fill, newShell, type Property } from './fill.ts';
import type { Intrinsics, Kind } from './intrinsics.ts';
import { type Entry, type Mirrored, opaque, type SharedObjects, Stayed } from './shared-objects.ts';
import { primitiveOf } from './slots.ts';
import { broken, type Graph, type Row, type Slot } from './wire.ts';

export interface DecodeOptions {
  readonly intrinsics: Intrinsics;
  /** Calls a function of the other side through its stand-in; `target` is what `new` was applied to. */
  call(id: number, name: string, args: unknown[], self: unknown, target: object | undefined): unknown;
  step(id: number, method: 'next' | 'return' | 'throw', args: unknown[]): unknown;
  /** Called once for each promise of the other side. */
  expect(id: number, settlers: Settlers): void;
  /** A value of the other side cannot cross, or was read although it stayed there. */
  refuse(reason: string): never;
  /** Called before an object of this side is changed. */
  protect?(mirror: Mirrored): void;
  /** May replace a property of a mirror or of an object of this side before it is defined; null keeps it as it is. */
  adapt?(property: Property, mirror: Mirrored): Property | null;
  /** Called before an object of the other side gets its prototype and contents, at first or again. */
  inherit?(prototype: unknown, mirror: Mirrored, isNew: boolean): void;
}

export interface Settlers {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** Applies the changes and builds the values. Throws a Refusal if the graph is inconsistent. */
export function decodeGraph(
  { roots, rows }: Graph,
  shared: SharedObjects,
  options: DecodeOptions,
): unknown[] {
  const { builtins } = options.intrinsics;
  const { mine, yours } = shared;
  const created = new Map<number, Row>();
  for (const row of rows) if (row[0] === 'mine' && !yours.has(row[1])) created.set(Number(row[1]), row);

  const value = (slot: Slot): unknown => {
    if (!Array.isArray(slot)) return primitiveOf(slot);
    const [tag, detail] = slot as readonly [string, unknown];
    if (tag === 'mine') return theirs(detail).object;
    if (tag === 'yours')
      return (Number.isSafeInteger(detail) ? mine[detail as number] : undefined)?.object ?? fail();
    if (tag === 'builtin') return builtins.at(String(detail)) ?? fail();
    if (tag === 'stays') return new Stayed(String(detail));
    return primitiveOf(slot);
  };
  const theirs = (id: unknown): Entry => {
    const known = yours.get(id as number);
    if (known) return known;
    const row = created.get(id as number) ?? fail();
    const [, number, kindText, headSlots] = row;
    const kind = String(kindText) as Kind;
    const head = headSlots.map(value);
    return shared.addMirror(number, newMirror(number, kind, head, options), kind, head);
  };
  const filled: Entry[] = [];
  for (const [owner, id, , , parts] of rows) {
    const entry = owner === 'mine' ? theirs(id) : (mine[id] ?? fail());
    filled.push(entry);
    if (owner !== 'mine') options.protect?.(entry);
    if (opaque.has(entry.kind)) continue;
    const built = parts.map(value);
    if (owner === 'mine') options.inherit?.(built[0], entry, created.has(id));
    fill(entry.object, entry.kind, built, property => placed(property, entry, shared, options));
  }
  const values = roots.map(value);
  for (const entry of filled) shared.watch(entry, shared.stateOf(entry));
  if (values.some(found => found instanceof Stayed)) throw broken();
  return values;
}

/** A property as it is defined on an object; null keeps the existing one. */
function placed(
  property: Property,
  entry: Entry,
  { originals }: SharedObjects,
  { adapt = given => given, refuse }: DecodeOptions,
): Property | null {
  const { key, value } = property;
  if (!(value instanceof Stayed)) {
    const adapted = adapt(property, entry);
    if (adapted === null) return null;
    const attributes =
      (property.writable ? 1 : 0) | (property.enumerable ? 2 : 0) | (property.configurable ? 4 : 0);
    if (adapted !== property && adapted.get)
      originals.set(adapted.get, property.get ?? [attributes, property.value]);
    return adapted;
  }
  if (entry.owner === 'mine') return null;
  const get = (): never => refuse(value.reason);
  originals.set(get, [7, value]);
  return { key, get, enumerable: property.enumerable ?? true, configurable: true };
}

/** The mirror of an object of the other side, before it has contents. */
function newMirror(id: number, kind: Kind, head: readonly unknown[], options: DecodeOptions): object {
  const { intrinsics } = options;
  switch (kind) {
    case 'function': {
      const name = String(head[0]);
      const call = (self: unknown, args: unknown[], target: object | undefined): unknown =>
        options.call(id, name, args, self, target === standIn ? standIn : target);
      const standIn = intrinsics.newStandIn(call, name, Number(head[1]), head[2] === true);
      return standIn;
    }
    case 'promise': {
      const { promise, resolve, reject } = intrinsics.newPromise();
      options.expect(id, { resolve, reject });
      return promise;
    }
    case 'iterator':
    case 'async iterator':
      return intrinsics.newIterator(
        (method, args) => options.step(id, method, args),
        kind === 'async iterator',
        head[0] === true,
      );
    default:
      return newShell(kind, head, intrinsics);
  }
}

function fail(): never {
  throw broken();
}
