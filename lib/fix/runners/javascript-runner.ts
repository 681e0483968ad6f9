import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../files/package-root.ts';
import type { SourceFile } from '../patch/source-file.ts';
import { instrumented } from './instrument.ts';
import type { JailedNode } from './jailed-node.ts';
import type { Runner, TestPlan } from './runner.ts';
import { createServedRunner } from './served-runner.ts';

export interface JavaScriptRunnerInput {
  readonly jails: JailedNode;
  /** Absolute paths of the project's own folder, for its node_modules, and of the copy. */
  readonly root: string;
  readonly project: string;
  /** Source files that are not tests. */
  readonly sources: readonly SourceFile[];
  readonly plan: TestPlan;
}

/** Runs node:test tests and scripts of assertions with lib/fix/javascript/runner.mjs. */
export function createJavaScriptRunner({
  jails,
  root,
  project,
  sources,
  plan,
}: JavaScriptRunnerInput): Runner {
  const folder = packageFile('lib/fix/javascript');
  const modules = [join(root, 'node_modules')].filter(existsSync);
  const prepared = (path: string, bytes: Uint8Array): Uint8Array => {
    const code = instrumented(path, Buffer.from(bytes).toString('utf8'));
    return code === null ? bytes : Buffer.from(code, 'utf8');
  };
  const words = [
    `--test-reporter=${folder}/reporter.mjs`,
    '--test-reporter-destination=stdout',
    `${folder}/runner.mjs`,
    project,
  ];
  return createServedRunner({
    name: 'node:test',
    knowsTrials: false,
    jail: () => jails.command(words, [folder, project, ...modules]),
    settings: {
      tests: plan.tests,
      modules: modules[0] ?? null,
      instrumented: Object.fromEntries(
        sources.map(({ path, bytes }) => [path, Buffer.from(prepared(path, bytes)).toString('base64')]),
      ),
    },
    prepared,
  });
}
