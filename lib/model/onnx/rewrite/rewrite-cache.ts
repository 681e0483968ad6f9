import type { ElementType } from '../../build/onnx-proto.ts';
import { type Edit, integerField, nodeField, TO_THE_END, valueField } from './graph-edits.ts';
import type { NodeLayout, OnnxLayout, ValueLayout } from './onnx-layout.ts';

/**
 * Makes a graph that returns whole caches return only their new rows, and take the past ordered by position, so that
 * the caller appends to it without moving anything:
 *
 *     past_key_values.N.key, .value  →  past_rows.N.key, .value  [1, past, key-value heads, head size]
 *     present.N.key, .value          →  new_rows  [cache tensors, new, key-value heads, head size]
 *
 * Within the graph, everything is computed as before. No edits unless each cache is the past with new rows appended,
 * by Concat or GroupQueryAttention, and all have the same type and shape.
 */
export function newRowsEdits(layout: OnnxLayout): readonly Edit[] {
  const { values, graph } = layout;
  const slots = [...values].flatMap(([past, input]) => {
    const name = /^past_key_values(\.\d+\.(?:key|value))$/.exec(past)?.[1];
    const output = values.get(`present${name}`);
    return name === undefined ? [] : [{ name, past, input, output }];
  });
  const [first] = slots;
  const type = first && types[first.input.type];
  if (type === undefined || !values.has('input_ids')) return [];
  const makers = new Map(layout.nodes.flatMap(node => node.outputs.map(name => [name, node] as const)));
  const isUsual = slots.every(
    ({ name, past, input, output }) =>
      output !== undefined && appends(makers, `present${name}`, past) && isAlike(input, first?.input),
  );
  if (!isUsual) return [];
  const [, heads = '', , headSize = ''] = first?.input.dims ?? [];
  const inputs = slots.map(({ name, input }) => ({
    start: input.start,
    end: input.end,
    pieces: [valueField('input', `past_rows${name}`, type, [1, 'past', heads, headSize])],
  }));
  const outputs = slots.flatMap(({ output }) => (output ? [{ ...output, pieces: [] }] : []));
  const before = slots.map(({ name, past }) => nodeField('Transpose', [`past_rows${name}`], past, byHead));
  const after = newRows(slots.map(({ name }) => `present${name}`));
  const output = valueField('output', NEW_ROWS, type, [slots.length, 'new', heads, headSize]);
  return [
    { start: graph.content, end: graph.content, pieces: before },
    ...inputs,
    ...outputs,
    { start: graph.end, end: graph.end, pieces: [...after, output] },
  ];
}

/** [cache tensors, new, key-value heads, head size] */
export const NEW_ROWS = 'new_rows';

const types: Readonly<Record<number, ElementType>> = { 1: 'float32', 10: 'float16' };
/** Swaps positions and heads. */
const byHead = { perm: { ints: [0, 2, 1, 3] } };

/** Whether a value is the past with new rows after it, under at most one other name. */
function appends(makers: ReadonlyMap<string, NodeLayout>, present: string, past: string): boolean {
  const named = makers.get(present);
  const value = (named?.operator === 'Identity' ? named.inputs[0] : undefined) ?? present;
  const maker = makers.get(value);
  if (maker?.operator === 'Concat') return maker.inputs.length === 2 && maker.inputs[0] === past;
  return (
    maker?.operator === 'GroupQueryAttention' &&
    maker.inputs.indexOf(past) === 2 + maker.outputs.indexOf(value)
  );
}

/** Positions are the dynamic dimension of the four. */
function isAlike({ type, dims }: ValueLayout, first: ValueLayout | undefined): boolean {
  const isShape = dims.length === 4 && typeof dims[2] === 'string';
  return isShape && type === first?.type && dims[1] === first.dims[1] && dims[3] === first.dims[3];
}

/** The rows that a pass adds to the caches, [1, key-value heads, past + new, head size] each. */
function newRows(presents: readonly string[]): Buffer[] {
  const slices = presents.map((_, index) => `hefix.new_rows.${index}`);
  return [
    integerField('hefix.rows.tokens_axis', 1n),
    integerField('hefix.rows.axis', 2n),
    integerField('hefix.rows.end', TO_THE_END),
    nodeField('Shape', ['input_ids'], 'hefix.rows.shape'),
    nodeField('Gather', ['hefix.rows.shape', 'hefix.rows.tokens_axis'], 'hefix.rows.count'),
    nodeField('Neg', ['hefix.rows.count'], 'hefix.rows.start'),
    ...presents.map((present, index) =>
      nodeField(
        'Slice',
        [present, 'hefix.rows.start', 'hefix.rows.end', 'hefix.rows.axis'],
        slices[index] ?? '',
      ),
    ),
    nodeField('Concat', slices, 'hefix.new_rows', { axis: { int: 0 } }),
    nodeField('Transpose', ['hefix.new_rows'], NEW_ROWS, byHead),
  ];
}
