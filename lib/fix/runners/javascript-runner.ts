import { join } from 'node:path';
import { packageFile } from '../../files/package-root.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';
import {
  type FoundFramework,
  homeOf,
  type JavaScriptFramework,
  packageOf,
} from '../project/javascript-framework.ts';
import type { ModuleFolder } from '../project/module-folders.ts';
import { instrumented } from './instrument.ts';
import type { JailedNode } from './jailed-node.ts';
import type { Runner, TestPlan } from './runner.ts';
import { createServedRunner } from './served-runner.ts';

export interface JavaScriptRunnerInput {
  readonly jails: JailedNode;
  readonly found: FoundFramework;
  readonly parser: SyntaxParser;
  readonly modules: readonly ModuleFolder[];
  /** Absolute path of the copy. */
  readonly project: string;
  /** Source files that are not tests. */
  readonly sources: readonly SourceFile[];
  readonly plan: TestPlan;
  /** Limit on a run of all tests, in seconds, unless that of one test allows more. */
  readonly time: number;
}

/** Runs a project's tests with the program of lib/fix/javascript that its framework needs. */
export function createJavaScriptRunner({
  jails,
  found: { framework, command, loader },
  parser,
  modules,
  project,
  sources,
  plan,
  time,
}: JavaScriptRunnerInput): Runner {
  const folder = packageFile('lib/fix/javascript');
  const packages = modules.map(({ path }) => path);
  const outside = modules.flatMap(each => each.outside);
  const prepared = (path: string, bytes: Uint8Array): Uint8Array => {
    const code = instrumented(parser, path, Buffer.from(bytes).toString('utf8'));
    return code === null ? bytes : Buffer.from(code, 'utf8');
  };
  const [program, ...options] = programs[framework];
  const words = [...options.map(option => option.replace('FOLDER', folder)), join(folder, program), project];
  return createServedRunner({
    name: framework,
    time,
    knowsTrials: false,
    overhead: framework === 'node:test' ? { run: 0, start: 0 } : { run: 10, start: 60 },
    jail: () =>
      jails.command(
        words,
        [folder, project, ...packages, ...outside],
        framework === 'node:test' && loader === null ? [] : packages,
      ),
    settings: {
      tests: plan.tests,
      modules,
      home: homeOf(loader === null ? framework : packageOf(loader), modules) ?? '',
      loader,
      words: command?.words ?? [],
      env: command?.env ?? {},
      instrumented: Object.fromEntries(
        sources.map(({ path, bytes }) => [path, Buffer.from(prepared(path, bytes)).toString('base64')]),
      ),
    },
    prepared,
  });
}

/** Each with the options of Node. */
const programs: Readonly<Record<JavaScriptFramework, readonly [string, ...string[]]>> = {
  'node:test': ['node-test.mjs', '--test-reporter=FOLDER/reporter.mjs', '--test-reporter-destination=stdout'],
  vitest: ['vitest.mjs'],
  jest: ['jest.mjs'],
  mocha: ['mocha.mjs'],
};
