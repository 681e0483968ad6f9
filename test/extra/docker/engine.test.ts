import { chmod, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DockerSettings, removeContainers, sweepContainers } from '../../../lib/extra/docker/engine.ts';
import { programFolder } from '../../support/temporary-folder.ts';

/** An engine that is removing `name` itself: it refuses to remove it, lists it a few times, and then does `afterwards`. */
async function engineThatRemoves(name: string, complaint: string, listed: number, afterwards = 'exit 0') {
  const folder = await programFolder();
  const program = join(folder, 'docker');
  const log = join(folder, 'calls');
  await writeFile(log, '');
  await writeFile(
    program,
    `#!/bin/sh
echo "$1" >>'${log}'
if [ "$1" = rm ]; then echo "Error response from daemon: ${complaint}" >&2; exit 1; fi
if [ "$(grep -cv '^rm$' '${log}')" -gt ${listed} ]; then ${afterwards}; fi
echo ${name}
`,
  );
  await chmod(program, 0o755);
  const settings = { command: [program], image: 'python:3.13-slim', cpus: 1, pids: 64, memory: undefined };
  return {
    settings: settings as never as DockerSettings,
    calls: async () => (await readFile(log, 'utf8')).trim().split('\n'),
  };
}

const inProgress = 'removal of container 4f is already in progress';

test('waits for a container that the engine is removing', async () => {
  const { settings, calls } = await engineThatRemoves('hefix-1-x', inProgress, 3);
  await removeContainers(settings, ['hefix-1-x']);
  const made = await calls();
  expect(made).toContain('rm');
  expect(made.filter(call => call !== 'rm')).toHaveLength(4);
});

test('ignores a container that no longer exists', async () => {
  const { settings, calls } = await engineThatRemoves('hefix-1-x', 'No such container', 0);
  await removeContainers(settings, ['hefix-1-x']);
  expect(await calls()).toContain('rm');
});

test('a failed cleanup does not end the run', async () => {
  const name = `hefix-999999999-${hostname().length}`;
  const { settings, calls } = await engineThatRemoves(name, 'device is busy', 1, 'exit 1');
  await sweepContainers(settings);
  expect(await calls()).toContain('rm');
});
