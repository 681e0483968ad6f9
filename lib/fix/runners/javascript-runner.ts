import { join } from 'node:path';
import { packageFile } from '../../files/package-root.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { type JavaScriptFramework, moduleFolders } from '../project/javascript-framework.ts';
import { linkedPackages } from '../project/linked-packages.ts';
import { instrumented } from './instrument.ts';
import type { JailedNode } from './jailed-node.ts';
import type { Runner, TestPlan } from './runner.ts';
import { createServedRunner } from './served-runner.ts';

export interface JavaScriptRunnerInput {
  readonly jails: JailedNode;
  readonly framework: JavaScriptFramework;
  readonly parser: SyntaxParser;
  /** Absolute paths of the project's own folder, for its node_modules, and of the copy. */
  readonly root: string;
  readonly project: string;
  /** Source files that are not tests. */
  readonly sources: readonly SourceFile[];
  readonly plan: TestPlan;
}

/** Runs a project's tests with the program of lib/fix/javascript that its framework needs. */
export function createJavaScriptRunner({
  jails,
  framework,
  parser,
  root,
  project,
  sources,
  plan,
}: JavaScriptRunnerInput): Runner {
  const folder = packageFile('lib/fix/javascript');
  const modules = moduleFolders(root);
  const { inside, outside } = linkedPackages(root, modules);
  const prepared = (path: string, bytes: Uint8Array): Uint8Array => {
    const code = instrumented(parser, path, Buffer.from(bytes).toString('utf8'));
    return code === null ? bytes : Buffer.from(code, 'utf8');
  };
  const [program, ...options] = programs[framework];
  const words = [...options.map(option => option.replace('FOLDER', folder)), join(folder, program), project];
  return createServedRunner({
    name: framework,
    knowsTrials: false,
    overhead: framework === 'node:test' ? { run: 0, start: 0 } : { run: 10, start: 60 },
    jail: () =>
      jails.command(
        words,
        [folder, project, ...modules, ...outside],
        framework === 'node:test' ? [] : modules,
      ),
    settings: {
      tests: plan.tests,
      modules,
      linked: inside,
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
};
