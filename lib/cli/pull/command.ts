import { exactnessText } from '../../core/measurements.ts';
import { printable } from '../../core/text.ts';
import { unaliased } from '../../model/aliases.ts';
import { pullModel } from '../../model/hub/pull-model.ts';
import { type ResolvedModel, resolvePulled } from '../../model/hub/resolve-model.ts';
import { type OptionValues, parseOptions } from '../../options/option.ts';
import { readHubEnvironment } from '../../options/settings.ts';
import { pullOptions } from '../../options/tables/command-options.ts';
import { bundledModel, bundledModelFolder } from '../../run/model/create-model.ts';
import type { Preparation } from '../../run/run-events.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  description:
    'Fetches a model from the hub, builds its graph if it has none, and makes it ready to run offline.',
  operands: { usage: '<model>', min: 1, max: 1 },
  options: pullOptions,
  examples: ['hefix pull qwen2.5-coder-0.5b', 'hefix pull Qwen/Qwen3-0.6B --dtype q4-128'],
  async run(input, { printResult, terminal, signal }, [model = '']) {
    const options = parseOptions(pullOptions, input);
    const { createProgressBar, createPreparationDisplay } = await import('../terminal/progress-bar.ts');
    const bar = createProgressBar(terminal);
    const onPreparing = options.quiet ? () => {} : createPreparationDisplay(terminal, bar);
    const ready = await pull(model, options, { onPreparing, signal }).finally(bar.clear);
    if (!options.quiet) {
      if (ready.exactness) terminal.write(`${exactnessText(ready.exactness)}\n`);
      terminal.write(printable(`${ready.name} is ready in ${ready.folder}`).concat('\n'));
    }
    printResult(ready);
    return 0;
  },
};

interface PullContext {
  readonly onPreparing: (step: Preparation) => void;
  readonly signal: AbortSignal;
}

/**
 * Downloads the current version of a model from the hub and builds its graph if there is no suitable export;
 * after that a run needs no network. `model` is a short name or an id. Rejects with the HUB_ errors of
 * downloading, the MODEL_ errors of building, or the signal's reason if aborted.
 */
async function pull(
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
    env: readHubEnvironment(process.cwd(), process.env),
    signal,
    onProgress: progress => onPreparing({ kind: 'fetching', name: id, progress }),
    onBuild: progress => onPreparing({ kind: 'building', name: id, progress }),
    onRefused: exactness => onPreparing({ kind: 'refused', name: id, exactness }),
  } satisfies Parameters<typeof resolvePulled>[1];
  return await resolvePulled(await pullModel(id, options), options);
}
