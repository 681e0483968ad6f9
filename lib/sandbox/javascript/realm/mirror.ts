import { headOf } from './atoms.ts';
import { type DecodeOptions, decodeGraph } from './decode-graph.ts';
import { encodeValues } from './encode-values.ts';
import { broken } from './fill.ts';
import { createSharedObjects } from './shared-objects.ts';
import { type Graph, Refusal } from './wire.ts';

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

export interface MirrorOptions extends DecodeOptions {
  /** Called at least once for each promise of this side that is sent. */
  promised(promise: Promise<unknown>, id: number): void;
  /** Why an object of this side must not cross; undefined if it may. */
  stays?(object: object): string | undefined;
}

export function createMirror(options: MirrorOptions): Mirror {
  const { intrinsics, stays, promised } = options;
  const shared = createSharedObjects({ intrinsics, ...(stays && { stays }) });
  const encoding = { builtins: intrinsics.builtins, promised };
  return {
    encode: values => encodeValues(values, shared, encoding),
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
