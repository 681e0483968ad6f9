import { attackOptions } from './attack-options.ts';
import {
  compareOptions,
  doctorOptions,
  execOptions,
  machineOptions,
  mergeOptions,
  modelsOptions,
  pullOptions,
  reportOptions,
  rerunOptions,
  robustOptions,
  verifyOptions,
  viewOptions,
} from './command-options.ts';
import { fixOptions } from './fix-options.ts';
import { mcpOptions } from './mcp-options.ts';
import type { OptionTable } from './option.ts';
import { distributionOptions, queueCommandOptions, workerOptions } from './queue-options.ts';
import { resumeOptions } from './resume-options.ts';
import { runOptions } from './run-options.ts';
import { scoreOptions } from './score-options.ts';
import { stepOptions } from './step-options.ts';
import { sweepOptions } from './sweep-options.ts';
import { trustOptions } from './trust-options.ts';

/** The options of every command, by its name. */
export const commandTables: Readonly<Record<string, OptionTable>> = {
  run: { ...runOptions, ...resumeOptions, ...distributionOptions },
  fix: fixOptions,
  score: { ...scoreOptions, ...resumeOptions, ...distributionOptions },
  sweep: sweepOptions,
  compare: compareOptions,
  merge: mergeOptions,
  report: reportOptions,
  view: viewOptions,
  rerun: rerunOptions,
  robust: robustOptions,
  verify: { ...verifyOptions, ...distributionOptions },
  attack: attackOptions,
  worker: workerOptions,
  queue: queueCommandOptions,
  exec: execOptions,
  step: stepOptions,
  machine: machineOptions,
  models: modelsOptions,
  pull: pullOptions,
  doctor: doctorOptions,
  trust: trustOptions,
  mcp: mcpOptions,
  completion: {},
};
