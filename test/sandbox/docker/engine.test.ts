import { chmod, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type DockerSettings,
  removeContainers,
  sweepContainers,
} from '../../../lib/sandbox/docker/engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An engine that is removing `name` itself: it refuses to remove it, and lists it a few more times. */
async function engineThatRemoves(name: string, complaint: string, listed: number): Promise<DockerSettings> {
  const folder = await temporaryFolder();
  const program = join(folder, 'docker');
  await writeFile(join(folder, 'count'), '');
  await writeFile(
    program,
    `#!/bin/sh
if [ "$1" = rm ]; then echo "Error response from daemon: ${complaint}" >&2; exit 1; fi
echo x >>${folder}/count
[ "$(wc -l <${folder}/count)" -gt ${listed} ] || echo ${name}
`,
  );
  await chmod(program, 0o755);
  expect(await readFile(join(folder, 'count'), 'utf8')).toBe('');
  return { command: [program], image: 'python:3.13-slim', cpus: 1, pids: 64, memory: undefined } as never;
}

const inProgress = 'removal of container 4f is already in progress';

test('waits for a container that the engine is removing', async () => {
  const settings = await engineThatRemoves('hefix-1-x', inProgress, 3);
  await removeContainers(settings, ['hefix-1-x']);
});

test('ignores a container that no longer exists', async () => {
  await removeContainers(await engineThatRemoves('hefix-1-x', 'No such container', 0), ['hefix-1-x']);
});

test('a failed cleanup does not end the run', async () => {
  const name = `hefix-999999999-${hostname().length}`;
  await sweepContainers(await engineThatRemoves(name, inProgress, 2));
});
