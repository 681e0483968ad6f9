import { z } from 'zod';
import { unaliased } from '../model/aliases.ts';
import { pullModel } from '../model/hub/pull-model.ts';
import { type ResolvedModel, resolvePulled } from '../model/hub/resolve-model.ts';
import { readEnvironment } from '../options/environment.ts';
import { localModelOptions } from '../options/local-model-options.ts';
import { flag, text } from '../options/option-checks.ts';
import { type Flag, runFlags } from '../options/run-flags.ts';
import { bundledModel, bundledModelFolder } from '../run/create-model.ts';
import type { Preparation } from '../terminal/preparation.ts';

export const pullOptionsSchema = z.strictObject({
  dtype: localModelOptions.dtype,
  revision: text('a branch, a tag or a commit').default('main'),
  quiet: flag(),
});
type PullOptions = z.infer<typeof pullOptionsSchema>;

export const pullFlags: Readonly<Record<keyof PullOptions, Flag>> = {
  dtype: runFlags.dtype,
  revision: { flags: '--revision <name>', group: 'Model', about: 'a branch, a tag or a commit of the model' },
  quiet: { flags: '--quiet', group: 'Output', about: 'nothing but errors and the result' },
};

export interface PullContext {
  readonly onPreparing: (step: Preparation) => void;
  readonly signal: AbortSignal;
}

/**
 * Brings a model of the hub to this machine as it is there now, and builds its graph if there is no export that suits:
 * after that a run needs no network. `model` is a short name or an id.
 * Rejects with the HUB_ errors of fetching, the MODEL_ errors of building, or the signal's reason if aborted.
 */
export async function pull(
  model: string,
  { dtype, revision }: PullOptions,
  { onPreparing, signal }: PullContext,
): Promise<ResolvedModel> {
  if (model === bundledModel) {
    return { name: model, folder: bundledModelFolder(), weightType: 'auto', commit: null };
  }
  const id = unaliased(model);
  const options = {
    revision,
    weightType: dtype,
    env: readEnvironment(process.cwd(), process.env),
    signal,
    onProgress: progress => onPreparing({ kind: 'fetching', name: id, progress }),
    onBuild: progress => onPreparing({ kind: 'building', name: id, progress }),
  } satisfies Parameters<typeof resolvePulled>[1];
  return await resolvePulled(await pullModel(id, options), options);
}
