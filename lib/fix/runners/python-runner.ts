import { packageFile } from '../../files/package-root.ts';
import type { JailedPython } from './jailed-python.ts';
import type { Runner, TestPlan } from './runner.ts';
import { createServedRunner } from './served-runner.ts';

export interface PythonRunnerInput {
  readonly jails: JailedPython;
  /** The copy of the project; absolute. */
  readonly project: string;
  /** Folders that modules are imported from, relative to the copy. */
  readonly paths: readonly string[];
  readonly plan: TestPlan;
}

/** Runs Python tests with lib/fix/python/runner.py. */
export function createPythonRunner({ jails, project, paths, plan }: PythonRunnerInput): Runner {
  const folder = packageFile('lib/fix/python');
  const confine = packageFile('lib/sandbox/python/programs');
  const { tests, doctest, sources, entryPoint } = plan;
  return createServedRunner({
    name: jails.framework,
    jail: () => jails.command([`${folder}/runner.py`, folder, confine, project]),
    settings: { paths, tests, doctest, sources, entry_point: entryPoint },
    knowsTrials: true,
    overhead: { run: 0, start: 0 },
    prepared: (_, bytes) => bytes,
  });
}
