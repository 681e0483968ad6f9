import { packageFile } from '../../files/package.ts';
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
  /** Whether pytest, if it is installed, finds the tests instead, as the project's configuration says. */
  readonly isWhole: boolean;
  /** Limit on a run of all tests, in seconds, unless that of one test allows more. */
  readonly time: number;
}

/** Runs Python tests with lib/fix/python/runner.py. */
export function createPythonRunner(input: PythonRunnerInput): Runner {
  const { jails, project, paths, plan, isWhole, time } = input;
  const folder = packageFile('lib/fix/python');
  const confine = packageFile('lib/sandbox/python/programs/jail');
  const { tests, doctest, sources, entryPoint } = plan;
  return createServedRunner({
    name: jails.framework,
    jail: () => jails.command([`${folder}/runner.py`, folder, confine, project]),
    settings: { paths, tests, doctest, sources, entry_point: entryPoint, whole: isWhole },
    time,
    knowsTrials: true,
    separates: true,
    overhead: { run: 0, start: 0 },
    prepared: (_, bytes) => bytes,
  });
}
