import { type BuiltWeightType, builtTypes } from '../build/build-model.ts';
import { type FixedWeightType, onnxFileName, type WeightType } from '../onnx/session.ts';

/**
 * The files of a repository that are needed, and how they are used: an existing graph is run, otherwise one
 * is built from the weights.
 */
export type Selection = { readonly files: readonly string[] } & (
  | { readonly action: 'run'; readonly weightType: FixedWeightType }
  | { readonly action: 'build'; readonly weightType: BuiltWeightType | 'auto' }
);

/**
 * Chooses from the paths in a repository or folder: configuration and tokenizer, and either one ONNX graph
 * with its external data or the safetensors. A suitable export is preferred. Null if there is neither.
 * Among exports, `auto` prefers what a CPU computes fastest: 4 bits, then 8, then float32 (exact but slow),
 * then half precision (slower still on a CPU). What is built for `auto` is decided by measurement, see
 * builtFolder.
 */
export function selectFiles(paths: readonly string[], wanted: WeightType): Selection | null {
  const there = new Set(paths);
  if (!there.has('config.json') || !there.has('tokenizer.json')) return null;
  const texts = TEXT_FILES.filter(path => there.has(path));

  for (const weightType of wanted === 'auto' ? exportOrder : [wanted]) {
    const name = onnxFileName(weightType);
    const graph = [`onnx/${name}`, name].find(path => there.has(path));
    if (graph === undefined) continue;
    const data = paths.filter(path => isDataOf(graph, path));
    return { files: [...texts, graph, ...data], action: 'run', weightType };
  }

  const weightType = wanted;
  if (!isBuilt(weightType)) return null;
  if (there.has('model.safetensors')) {
    return { files: [...texts, 'model.safetensors'], action: 'build', weightType };
  }
  if (!there.has('model.safetensors.index.json')) return null;
  const shards = paths.filter(path => /^model-\d+-of-\d+\.safetensors$/.test(path));
  return { files: [...texts, 'model.safetensors.index.json', ...shards], action: 'build', weightType };
}

/** Files other than the weights that affect prompts and answers. */
export const TEXT_FILES = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'chat_template.jinja',
  'hefix.json',
] as const;

const exportOrder = ['q4', 'q8', 'int8', 'uint8', 'fp32', 'q4f16', 'fp16', 'bnb4'] as const;

/** Whether hefix can build graphs of this type. */
export function isBuilt(weightType: WeightType): weightType is BuiltWeightType | 'auto' {
  return weightType === 'auto' || builtTypes.some(built => built === weightType);
}

/** `model.onnx_data`, `model.onnx_data_1`, `model.onnx.data`: the names that exporters use. */
function isDataOf(graph: string, path: string): boolean {
  return path.startsWith(graph) && /^[._]data(_\d+)?$/.test(path.slice(graph.length));
}
