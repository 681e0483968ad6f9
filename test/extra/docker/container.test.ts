import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startContainer } from '../../../lib/extra/docker/container.ts';
import { judgeWeakness } from '../../../lib/extra/docker/docker-sandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { levelNeeds } from '../../support/needs.ts';
import { programFolder } from '../../support/temporary-folder.ts';

/** In place of an engine: the first process of a container, in namespaces of its own. */
const engine = `#!/bin/sh
while [ "$1" != image ]; do shift; done
shift
set -- --proc /proc --tmpfs /jail python3 "$@"
for folder in /*; do set -- --ro-bind "$folder" "$folder" "$@"; done
exec bwrap --unshare-pid --die-with-parent "$@"
`;

test('a container says how long its program has waited for a processor', async ({ skip }) => {
  const probe = await execa('bwrap', ['--unshare-pid', '--ro-bind', '/', '/', 'true'], { reject: false });
  if (probe.exitCode !== 0) return skip(levelNeeds.bubblewrap);
  const path = join(await programFolder(), 'engine');
  writeFileSync(path, engine);
  chmodSync(path, 0o755);
  const settings = { command: [path], image: 'image', cpus: 1, memory: null, pids: 64 };
  const container = await startContainer(settings, 256, 16);
  try {
    expect(await container.waited()).toBe(0);
    // Two processes that share one processor.
    const spin =
      'import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nos.fork()\nwhile True: pass';
    container.start(['', '-c', spin], {}, () => {});
    await eventually(async () => expect(await container.waited()).toBeGreaterThan(20));
  } finally {
    await container.close();
  }
});

test('a container has no network, no rights and limits, and its image is not pulled', async () => {
  const folder = await programFolder();
  const [path, log] = [join(folder, 'engine'), join(folder, 'log')];
  writeFileSync(path, `#!/bin/sh\nprintf '%s ' "$@" >'${log}'\nexit 1\n`);
  chmodSync(path, 0o755);
  const settings = { command: [path], image: 'some-image', cpus: 0.5, memory: null, pids: 48 };
  await expect(startContainer(settings, 256, 16)).rejects.toThrow();
  const [options = ''] = readFileSync(log, 'utf8').split(' some-image ');
  for (const option of [
    '--pull never',
    '--label hefix',
    '--network none',
    '--ipc none',
    '--read-only',
    'size=16m',
    '--user 65534:65534',
    '--cap-drop ALL',
    '--security-opt no-new-privileges',
    '--memory 336m --memory-swap 336m',
    '--cpus 0.5',
    '--pids-limit 48',
  ])
    expect(options).toContain(option);
});

test('tests that run outside of the container at the weakest level give a warning', () => {
  expect(judgeWeakness({ level: 'ulimit' })).toMatch(/^The tests run outside of the container, .*ulimit/);
  expect(judgeWeakness({ level: 'bubblewrap' })).toBe(null);
});
