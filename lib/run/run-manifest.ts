import { createHash } from 'node:crypto';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import { resultOptions } from '../options/tables/run-options.ts';
import { machines } from '../repair/machines.ts';
import { type Manifest, manifestFormat } from '../results/manifest.ts';
import { resolvedOptions } from './resolved-options.ts';

interface ManifestedRun {
  readonly options: RunOptions;
  /** A hash of the prompts' text. */
  readonly prompts: string;
  readonly versions: Manifest['versions'];
  readonly dataset: Manifest['dataset'];
  readonly sandbox: Sandbox;
  readonly model: TextModel;
  readonly language: Language;
  /** How many records the file is to hold. */
  readonly planned: number;
  readonly started: Date;
  /** The file of the samples, if they are only scored. */
  readonly scored: NonNullable<Manifest['scored']> | undefined;
  /** The manifest of the earlier sessions; null if this is the first. */
  readonly before: Manifest | null;
}

/** The manifest of the session that starts. */
export function manifestOf(run: ManifestedRun): Manifest {
  const { options, prompts, versions, dataset, sandbox, model, before, language, planned, scored } = run;
  const started = run.started.toISOString();
  return {
    format: manifestFormat,
    model: {
      name: model.name,
      fingerprint: model.fingerprint,
      ...(model.device && { device: model.device }),
      ...(model.exactness && { exactness: model.exactness }),
    },
    dataset: {
      name: dataset.name,
      fingerprint: dataset.fingerprint,
      ...(dataset.revision === undefined ? {} : { revision: dataset.revision }),
    },
    options,
    ...(scored ? { scored: scoredIn(scored) } : { resolved: resolvedOptions(options, model, language) }),
    planned,
    prompts,
    isolation: sandbox.isolation,
    versions: { ...versions, ...(sandbox.runtime ? { candidates: sandbox.runtime } : {}) },
    host: thisHost(),
    sessions: [...(before?.sessions ?? []), { started, ended: null }],
  };
}

function scoredIn({ file, repeat }: NonNullable<Manifest['scored']>): Manifest['scored'] {
  return repeat === undefined ? { file } : { file, repeat };
}

/** The same after its last session, which used `model`, has ended. */
export function ended(manifest: Manifest, date: Date, model: TextModel): Manifest {
  const { sessions } = manifest;
  const last = sessions.at(-1);
  if (last === undefined) return manifest;
  const batching = model.batching?.();
  const session = { ...last, ended: date.toISOString(), ...(batching && { batching }) };
  return { ...manifest, sessions: [...sessions.slice(0, -1), session] };
}

/**
 * A hash of what `checkSameRun` compares and of hefix's version: saved states are only valid for identical
 * values.
 */
export function runIdentity({ model, dataset, options, prompts, versions }: Manifest): string {
  const decisive = resultOptions.map(key => [key, options[key]]);
  const { config } = machines[options.agent];
  const parts = [model.fingerprint, dataset.fingerprint, decisive, prompts, versions.hefix, config];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function thisHost(): Manifest['host'] {
  return {
    platform: `${platform()}-${arch()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_mib: Math.round(totalmem() / 2 ** 20),
  };
}
