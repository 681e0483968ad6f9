import { bytesField, bytesHeader } from '../../build/protobuf.ts';
import { type Edit, GRAPH, integerField, nodeField, TO_THE_END, valueField } from './graph-edits.ts';
import type { NodeLayout, OnnxLayout } from './onnx-layout.ts';

/**
 * Makes a graph that returns logits for all tokens return them only for the last `num_logits_to_keep` tokens (a new
 * input; 0 keeps all): the output layer is a tenth of the work of a prompt, and its rows are copied out. No edits if
 * the graph already has this input or has another structure.
 */
export function lastRowsEdits(layout: OnnxLayout): readonly Edit[] {
  const head = outputLayer(layout);
  const field = head?.inputFields[0];
  if (head === null || field === undefined) return [];
  const renamed = bytesField(NODE_INPUT, LAST_ROWS);
  const headLength = head.end - head.content + renamed.length - (field.end - field.start);
  return [
    // Recorded shapes would contradict the shorter logits.
    ...layout.shapes.map(({ start, end }) => ({ start, end, pieces: [] })),
    {
      start: head.start,
      end: head.end,
      pieces: [
        sliceNodes(head.inputs[0] ?? ''),
        bytesHeader(GRAPH.node, headLength),
        [head.content, field.start],
        renamed,
        [field.end, head.end],
      ],
    },
    { start: layout.graph.end, end: layout.graph.end, pieces: [keptInput()] },
  ];
}

const NODE_INPUT = 1;
const LAST_ROWS = 'hefix.last_rows';

/**
 * The node that multiplies [batch, tokens, hidden] by the vocabulary's weights; null if that is ambiguous.
 */
function outputLayer({ nodes, values }: OnnxLayout): NodeLayout | null {
  if (values.has(KEPT_INPUT)) return null;
  const makers = new Map(nodes.flatMap(node => node.outputs.map(output => [output, node] as const)));
  let waiting = ['logits'];
  for (let distance = 0; distance < 8; distance++) {
    const found = waiting.flatMap(name => makers.get(name) ?? []);
    const products = found.filter(({ operator }) => PRODUCTS.includes(operator));
    if (products.length > 0) return products.length === 1 ? (products[0] ?? null) : null;
    waiting = found.filter(({ operator }) => ELEMENTWISE.includes(operator)).flatMap(({ inputs }) => inputs);
  }
  return null;
}

const KEPT_INPUT = 'num_logits_to_keep';
const PRODUCTS = [
  'MatMul',
  'MatMulNBits',
  'MatMulBnb4',
  'MatMulInteger',
  'DynamicQuantizeMatMul',
  'FusedMatMul',
];
const ELEMENTWISE = ['Cast', 'Identity', 'Add', 'Mul', 'Div', 'Tanh'];

/** hidden [batch, tokens, hidden] → its last rows. */
function sliceNodes(hidden: string): Buffer {
  return Buffer.concat([
    nodeField('Reshape', [KEPT_INPUT, 'hefix.one'], 'hefix.kept'),
    nodeField('Neg', ['hefix.kept'], 'hefix.start'),
    nodeField('Slice', [hidden, 'hefix.start', 'hefix.end', 'hefix.one'], LAST_ROWS),
  ]);
}

function keptInput(): Buffer {
  return Buffer.concat([
    // The shape of one element and the axis of tokens happen to be the same number.
    integerField('hefix.one', 1n),
    integerField('hefix.end', TO_THE_END),
    valueField('input', KEPT_INPUT, 'int64', []),
  ]);
}
