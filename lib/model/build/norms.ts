import type { DecoderParts } from './decoder-parts.ts';

/** Normalises the last axis, [.., width], by its root mean square; `name` follows `model.`. */
export async function rmsNorm(
  { graph, architecture, weights }: DecoderParts,
  value: string,
  name: string,
  width: number,
): Promise<string> {
  const scale = await graph.floats(name, await weights.vector({ [`model.${name}.weight`]: width }));
  const attributes = { axis: { int: -1 }, epsilon: { float: architecture.normEpsilon } };
  return graph.node('SimplifiedLayerNormalization', [value, scale], attributes);
}

/** The architecture's norm of values [batch, new, hidden]. */
export async function plainNorm(parts: DecoderParts, value: string, name: string): Promise<string> {
  const { graph, architecture } = parts;
  const { hidden, norm, normEpsilon } = architecture;
  if (norm === 'root mean square') return await rmsNorm(parts, value, name, hidden);
  const attributes = { axis: { int: -1 }, epsilon: { float: normEpsilon } };
  return graph.node('LayerNormalization', [value, ...(await scaleAndBias(parts, name))], attributes);
}

/** Gives the normed sum of its two inputs, and the sum; both are the sum without a norm. */
export async function skipNorm(
  parts: DecoderParts,
  residual: string,
  added: string,
  name: string | null,
): Promise<[normed: string, sum: string]> {
  const { graph, architecture } = parts;
  if (name === null) {
    const sum = graph.node('Add', [residual, added]);
    return [sum, sum];
  }
  const [normed, sum] = [graph.newName('normed'), graph.newName('residual')];
  const operator =
    architecture.norm === 'layer' ? 'SkipLayerNormalization' : 'SkipSimplifiedLayerNormalization';
  const inputs = [residual, added, ...(await scaleAndBias(parts, name))];
  graph.contrib(operator, inputs, [normed, '', '', sum], { epsilon: { float: architecture.normEpsilon } });
  return [normed, sum];
}

/** The bias is only in layer norms. */
async function scaleAndBias({ graph, architecture, weights }: DecoderParts, name: string): Promise<string[]> {
  const { hidden, norm } = architecture;
  const scale = await graph.floats(name, await weights.vector({ [`model.${name}.weight`]: hidden }));
  if (norm === 'root mean square') return [scale];
  return [
    scale,
    await graph.floats(`${name}.bias`, await weights.vector({ [`model.${name}.bias`]: hidden })),
  ];
}
