import { bundledNames } from '../../dataset/bundled.ts';
import { knownModels } from '../model/aliases.ts';
import { runOptions } from './tables/run-options.ts';

const models: readonly string[] = [
  runOptions.model.schema.parse(undefined),
  ...knownModels.flatMap(({ alias, id }) => [alias, id]),
];

/** The option whose value an argument looks like: a model's or a dataset's name or file. Undefined if none. */
export function meantOption(argument: string): '--model' | '--dataset' | undefined {
  if (['humanevalpack', ...bundledNames].includes(argument)) return '--dataset';
  if (/\.(parquet|jsonl|jsonl\.gz)$/.test(argument)) return '--dataset';
  // A hub id or a folder, a tag as in `qwen:7b`, or a size as in `llama-3.2-1b`.
  return models.includes(argument) || /[/:]|\d+(\.\d+)?[bm]\b/i.test(argument) ? '--model' : undefined;
}
