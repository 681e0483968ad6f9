import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { detectIsolation } from '../../../lib/sandbox/isolation/isolation.ts';
import { findProgram } from '../../../lib/sandbox/isolation/programs.ts';
import { preparePython } from '../../../lib/sandbox/python/host/python-programs.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { levelNeeds } from '../../support/needs.ts';
import { programFolder } from '../../support/temporary-folder.ts';

/**
 * Some systems allow bubblewrap to create namespaces, but nothing inside them (Ubuntu's AppArmor profile).
 * Here bubblewrap is started without the capability that this needs.
 */
const weakened = `#!/bin/sh
left=$#
while [ $left -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  [ "$word" = CAP_SYS_ADMIN ] && word=CAP_KILL
  set -- "$@" "$word"
done
exec ${findProgram('bwrap')} "$@"
`;

test('each candidate gets its own interpreter where jails cannot be nested', async ({ skip }) => {
  if (!findProgram('bwrap')) skip(levelNeeds.bubblewrap);
  const folder = await programFolder();
  await writeFile(join(folder, 'bwrap'), weakened);
  await chmod(join(folder, 'bwrap'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  const { executable } = await preparePython();
  const found = await detectIsolation({ python: executable, wanted: 'bubblewrap' }).catch(
    (error: Error) => error,
  );
  if (found instanceof Error) return skip(levelNeeds.bubblewrap);
  expect(found.outer).toBeNull();

  const sandbox = await createPythonSandbox({ isolation: 'bubblewrap', timeoutSeconds: 20 });
  const verdictOf = async (body: string) => {
    const candidate = `import os\ndef f(x):\n    ${body}\n`;
    const request = { language: 'python', candidate, tests: 'assert f(1) == 2', entryPoint: 'f' } as const;
    return (await sandbox.execute(request)).verdict.kind;
  };
  try {
    const bodies = [
      'return x + 1',
      'return x',
      'os._exit(3)',
      'open("left", "w")',
      'return len(os.listdir("."))',
    ];
    expect(await Promise.all(bodies.map(verdictOf))).toEqual([
      'passed',
      'failed',
      'exited',
      'failed',
      'failed',
    ]);
  } finally {
    await sandbox.close();
    vi.unstubAllEnvs();
  }
});
