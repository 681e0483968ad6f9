import { unaliased } from '../../model/aliases.ts';
import { pullModel } from '../../model/hub/pull-model.ts';
import { type ResolvedModel, resolvePulled } from '../../model/hub/resolve-model.ts';
import { readEnvironment } from '../../options/environment.ts';
import type { OptionValues } from '../../options/option.ts';
import type { pullOptions } from '../../options/tables/command-options.ts';
import { bundledModel, bundledModelFolder } from '../../run/model/create-model.ts';
import type { Preparation } from '../../run/run-events.ts';

export interface PullContext {
  readonly onPreparing: (step: Preparation) => void;
  readonly signal: AbortSignal;
}

/**
 * Downloads the current version of a model from the hub and builds its graph if there is no suitable export;
 * after that a run needs no network. `model` is a short name or an id. Rejects with the HUB_ errors of
 * downloading, the MODEL_ errors of building, or the signal's reason if aborted.
 */
export async function pull(
  model: string,
  { dtype, revision }: OptionValues<typeof pullOptions>,
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
