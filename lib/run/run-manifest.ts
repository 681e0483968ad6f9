import { createHash } from 'node:crypto';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { type AllowedDifference, allowedDifferences } from '../core/choices.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import { longName } from '../options/option.ts';
import { type RunOptions, resultOptions } from '../options/tables/run-options.ts';
import { agentMachine } from '../repair/agents.ts';
import { type Manifest, manifestFormat } from '../report/results/manifest.ts';
import { resolvedOptions } from './model/model-abilities.ts';

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
export async function runIdentity(manifest: Manifest): Promise<string> {
  const { model, dataset, options, prompts, versions } = manifest;
  const decisive = resultOptions.map(key => [key, options[key]]);
  const { config } = await agentMachine(options.agent);
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

/** Something that affects results and differs between two runs. */
export interface Difference {
  readonly what: string;
  readonly a: string;
  readonly b: string;
}

/**
 * The differences between two runs, most important first: dataset, model, prompts, options, isolation,
 * versions, host.
 */
export function manifestDifferences(a: Manifest, b: Manifest): Difference[] {
  const pairs: [string, unknown, unknown][] = [
    ...identities('dataset', a.dataset, b.dataset),
    ...identities('model', a.model, b.model),
    ['prompts', shortened(a.prompts), shortened(b.prompts)],
    ...resultOptions.map((key): [string, unknown, unknown] => [
      longName(key),
      a.options[key],
      b.options[key],
    ]),
    ['isolation', a.isolation, b.isolation],
    ...keysOf(a.versions, b.versions).map((name): [string, unknown, unknown] => [
      `version of ${name}`,
      a.versions[name],
      b.versions[name],
    ]),
    ['host', hostName(a), hostName(b)],
  ];
  return pairs
    .map(([what, one, other]) => ({ what, a: String(one ?? 'none'), b: String(other ?? 'none') }))
    .filter(difference => difference.a !== difference.b);
}

/** Fingerprints are compared, since a file may have moved; names are shown, since they are easier to read. */
function identities(
  subject: string,
  a: Manifest['model'],
  b: Manifest['model'],
): [string, unknown, unknown][] {
  const shown = ({ name, fingerprint }: Manifest['model']) => `${name} (${shortened(fingerprint)})`;
  return a.fingerprint === b.fingerprint ? [] : [[subject, shown(a), shown(b)]];
}

function shortened(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 12);
}

function keysOf(...records: readonly Readonly<Record<string, string>>[]): string[] {
  return [...new Set(records.flatMap(record => Object.keys(record)))];
}

function hostName({ host }: Manifest): string {
  return `${host.cpu}, ${host.cores} cores, ${host.platform}`;
}

/** The first difference that could change a result and is not allowed; undefined if there is none. */
export function firstDifference(
  run: Manifest,
  worker: Manifest,
  allowed: readonly AllowedDifference[],
): (Difference & { readonly name: AllowedDifference }) | undefined {
  return manifestDifferences(run, worker)
    .flatMap(difference => {
      const name = names[difference.what] ?? allowedDifferences.find(option => option === difference.what);
      return name === undefined ? [] : [{ ...difference, name }];
    })
    .find(({ name }) => !allowed.includes(name));
}

/** Versions of other packages, and the host, do not decide a result. */
const names: Readonly<Record<string, AllowedDifference>> = {
  'version of hefix': 'hefix',
  'version of candidates': 'python',
};
