import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/run-options.ts';
import { type Manifest, manifestFormat, thisMachine } from './manifest.ts';
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
  readonly scored: { readonly file: string } | undefined;
  /** The manifest of the earlier sessions; null if this is the first. */
  readonly before: Manifest | null;
}

/** The manifest of the session that starts. */
export function manifestOf(run: ManifestedRun): Manifest {
  const { options, prompts, versions, dataset, sandbox, model, before, language, planned, scored } = run;
  const started = run.started.toISOString();
  return {
    format: manifestFormat,
    model: { name: model.name, fingerprint: model.fingerprint },
    dataset: {
      name: dataset.name,
      fingerprint: dataset.fingerprint,
      ...(dataset.revision === undefined ? {} : { revision: dataset.revision }),
    },
    options,
    ...(scored ? { scored: { file: scored.file } } : { resolved: resolvedOptions(options, model, language) }),
    planned,
    prompts,
    isolation: sandbox.isolation,
    versions: { ...versions, ...(sandbox.runtime ? { candidates: sandbox.runtime } : {}) },
    machine: thisMachine(),
    sessions: [...(before?.sessions ?? []), { started, ended: null }],
  };
}

/** The same after its last session has ended. */
export function ended(manifest: Manifest, date: Date): Manifest {
  const { sessions } = manifest;
  const last = sessions.at(-1);
  if (last === undefined) return manifest;
  return { ...manifest, sessions: [...sessions.slice(0, -1), { ...last, ended: date.toISOString() }] };
}
