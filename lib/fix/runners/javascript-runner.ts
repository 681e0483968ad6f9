import { join } from 'node:path';
import { unlessAborted } from '../../core/async.ts';
import { packageFile } from '../../files/package.ts';
import type { SourceFile } from '../patch/source-file.ts';
import {
  type FoundFramework,
  homeOf,
  type JavaScriptFramework,
  packageOf,
} from '../project/javascript-framework.ts';
import type { ModuleFolder } from '../project/module-folders.ts';
import type { SourceGuard } from '../project/source-guard.ts';
import type { JailedNode } from './jailed-node.ts';
import type { Runner, TestPlan } from './runner.ts';
import { createServedRunner } from './served-runner.ts';

export interface JavaScriptRunnerInput {
  readonly jails: JailedNode;
  readonly detected: FoundFramework;
  readonly guard: SourceGuard;
  readonly modules: readonly ModuleFolder[];
  /** Absolute path of the copy. */
  readonly project: string;
  /** Of the source files that are not tests. */
  readonly recording: RecordingSources;
  /** Folders of NODE_PATH, relative to the copy. */
  readonly paths: readonly string[];
  readonly plan: TestPlan;
  /** Limit on a run of all tests, in seconds, unless that of one test allows more. */
  readonly time: number;
}

/** Runs a project's tests with the program of lib/fix/javascript that its framework needs. */
export function createJavaScriptRunner({
  jails,
  detected: { framework, command, loader },
  guard,
  modules,
  project,
  recording,
  paths,
  plan,
  time,
}: JavaScriptRunnerInput): Runner {
  const folder = packageFile('lib/fix/javascript');
  const packages = modules.map(({ path }) => path);
  const outside = modules.flatMap(each => each.outside);
  const [program, ...options] = programs[framework];
  // jest loads ESM only with this option of Node.
  const esm = '--experimental-vm-modules';
  const isEsm = framework === 'jest' && (command?.env.NODE_OPTIONS ?? '').split(' ').includes(esm);
  const args = [
    ...(isEsm ? [esm] : []),
    ...options.map(option => option.replace('FOLDER', folder)),
    join(folder, program),
    project,
  ];
  return createServedRunner({
    name: framework,
    time,
    knowsTrials: false,
    separates: framework === 'vitest',
    overhead: framework === 'node:test' ? { run: 0, start: 0 } : { run: 10, start: 60 },
    jail: () =>
      jails.command(
        args,
        [folder, project, ...packages, ...outside],
        framework === 'node:test' && loader === null ? [] : packages,
      ),
    settings: {
      tests: plan.tests,
      modules,
      paths,
      home: homeOf(loader === null ? framework : packageOf(loader), modules) ?? '',
      loader,
      words: command?.args ?? [],
      env: command?.env ?? {},
      instrumented: recording,
    },
    prepared: (path, bytes) => prepared(guard, path, bytes),
  });
}

/** Source files as runners take them, by path, in base64. */
export type RecordingSources = Readonly<Record<string, string>>;

/** Instruments source files. Rejects with the signal's reason soon after an abort. */
export async function recordingSources(
  guard: SourceGuard,
  sources: readonly SourceFile[],
  signal: AbortSignal,
): Promise<RecordingSources> {
  const recording: Record<string, string> = {};
  for (const { path, bytes } of sources) {
    const code = await unlessAborted(prepared(guard, path, bytes), signal);
    recording[path] = Buffer.from(code).toString('base64');
  }
  return recording;
}

async function prepared(guard: SourceGuard, path: string, bytes: Uint8Array): Promise<Uint8Array> {
  const code = await guard.instrumented(path, Buffer.from(bytes).toString('utf8'));
  return code === null ? bytes : Buffer.from(code, 'utf8');
}

/** Each with the options of Node. */
const programs: Readonly<Record<JavaScriptFramework, readonly [string, ...string[]]>> = {
  'node:test': ['node-test.mjs', '--test-reporter=FOLDER/reporter.mjs', '--test-reporter-destination=stdout'],
  vitest: ['vitest.mjs'],
  jest: ['jest.mjs'],
  mocha: ['mocha.mjs'],
  ava: ['ava.mjs'],
  tape: ['tape.mjs'],
};
