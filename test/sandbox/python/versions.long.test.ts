import { execFileSync, spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { needs } from '../../support/needs.ts';
import { describeIsolation } from '../conformance.ts';

const versionOf = 'import sys; print("%d.%d" % sys.version_info[:2])';
const judged = execFileSync('python3', ['-c', versionOf], { encoding: 'utf8' }).trim();

/** The conformance list on every version of CPython that is on the PATH, besides that of `python3`, which has it too. */
for (const version of ['3.9', '3.10', '3.11', '3.12', '3.13', '3.14'].filter(each => each !== judged)) {
  const python = `python${version}`;
  const isThere = spawnSync(python, ['-c', '']).status === 0;
  if (isThere) describeIsolation(python, limits => createPythonSandbox({ ...limits, python }));
  else
    describe(python, needs({ what: `${python} on the PATH`, isThere }), () => test('conformance', () => {}));
}
