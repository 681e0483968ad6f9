import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Architecture } from '../build/architecture.ts';
import { newRowsAttention } from '../build/attention/attention-new-rows.ts';
import type { ModelWeights } from '../build/checkpoint/model-weights.ts';
import { floatCodec } from '../build/codecs/float-codec.ts';
import { addLayer } from '../build/decoder.ts';
import { createExternalData, createGraphBuilder } from '../build/graph-builder.ts';
import type { WeightCodec } from '../build/linear.ts';
import { plainNorm } from '../build/norms.ts';
import { encodeModel, type ValueInfo } from '../build/onnx-proto.ts';

export interface RecordedInput {
  readonly linear: string;
  /** Name of the value in the graph. */
  readonly value: string;
  readonly columns: number;
}

/** Writes a graph of one layer: `residual` [1, positions, hidden] → `sum`, and the inputs of linear layers. */
export async function writeLayer(
  architecture: Architecture,
  weights: ModelWeights,
  layer: number,
  folder: string,
): Promise<{ file: string; inputs: readonly RecordedInput[] }> {
  const external = await createExternalData(join(folder, 'layer.data'), 'layer.data');
  const inputs: RecordedInput[] = [];
  try {
    const graph = createGraphBuilder(external);
    const parts = { graph, architecture, weights, codec: recordingInputs(floatCodec, inputs) };
    const attention = await newRowsAttention(parts, [layer]);
    const { beforeAttention } = architecture.tensors;
    const input =
      beforeAttention === null
        ? 'residual'
        : await plainNorm(parts, 'residual', `layers.${layer}.${beforeAttention}`);
    graph.add('Add', await addLayer(parts, attention, layer, input, 'residual'), ['sum']);
    const tokens = (name: string, columns: number): ValueInfo => ({
      name,
      type: 'float32',
      dims: [1, 'positions', columns],
    });
    const { hidden } = architecture;
    const outputs = [tokens('sum', hidden), ...inputs.map(({ value, columns }) => tokens(value, columns))];
    const finished = graph.finish('layer', [tokens('residual', hidden), ...attention.inputs], outputs);
    const file = join(folder, 'layer.onnx');
    await writeFile(file, encodeModel(finished, 'hefix'));
    return { file, inputs };
  } finally {
    await external.close();
  }
}

/** The same codec; notes which value each linear layer reads. */
function recordingInputs(codec: WeightCodec, inputs: RecordedInput[]): WeightCodec {
  return {
    ...codec,
    async multiply(graph, input, linears) {
      const [first] = linears;
      if (first) inputs.push({ linear: first.matrix.name, value: input, columns: first.matrix.columns });
      return await codec.multiply(graph, input, linears);
    },
  };
}
