import { extras } from '../extras.ts';
import type { OptionTable } from './option.ts';
import {
  compareOptions,
  doctorOptions,
  execOptions,
  exportOptions,
  machineOptions,
  mergeOptions,
  modelsOptions,
  pullOptions,
  reportOptions,
  rerunOptions,
  robustOptions,
  verifyOptions,
  viewOptions,
} from './tables/command-options.ts';
import { distributionOptions } from './tables/distribution-options.ts';
import { fixOptions } from './tables/fix-options.ts';
import { queueCommandOptions, workerOptions } from './tables/queue-options.ts';
import { resumeOptions, runOptions } from './tables/run-options.ts';
import { scoreOptions } from './tables/score-options.ts';
import { stepOptions } from './tables/step-options.ts';
import { trustOptions } from './tables/trust-options.ts';

/** The options of every command, by its name. */
export async function commandTables(): Promise<Readonly<Record<string, OptionTable>>> {
  const entries = extras.flatMap(({ commands = {} }) => Object.entries(commands));
  const loaded = entries.map(async ([name, { options }]) => [name, await options()] as const);
  return { ...tables, ...Object.fromEntries(await Promise.all(loaded)) };
}

const tables: Readonly<Record<string, OptionTable>> = {
  run: { ...runOptions, ...resumeOptions, ...distributionOptions },
  fix: fixOptions,
  score: { ...scoreOptions, ...resumeOptions, ...distributionOptions },
  compare: compareOptions,
  merge: mergeOptions,
  export: exportOptions,
  report: reportOptions,
  view: viewOptions,
  rerun: rerunOptions,
  robust: robustOptions,
  verify: { ...verifyOptions, ...distributionOptions },
  worker: workerOptions,
  queue: queueCommandOptions,
  exec: execOptions,
  step: stepOptions,
  machine: machineOptions,
  models: modelsOptions,
  pull: pullOptions,
  doctor: doctorOptions,
  trust: trustOptions,
};
