import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { contentHash, fakeHub } from '../../files/hub/fake-hub.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ID = 'some-org/some-model';
const DATA = 'model.safetensors';
const weights = Buffer.alloc(2_000_000, 'all the weights of a model, ');
const files = { 'config.json': Buffer.from('{}'), 'tokenizer.json': Buffer.from('{"a":1}'), [DATA]: weights };

test('the next process resumes the download of a killed one', async () => {
  const { hub, env, blobs } = await scene();
  // Half of the weights, then silence.
  hub.disturb = (request, response) => {
    if (request.url !== `/cdn/${DATA}`) return false;
    response.writeHead(200, { 'Content-Length': weights.length });
    return response.write(weights.subarray(0, 1_000_000)) || true;
  };
  const killed = pullIn(env);
  const partial = join(blobs, `${contentHash(weights)}.hefix.incomplete`);
  while (!existsSync(partial) || statSync(partial).size < 1_000_000) await wait(20);
  killed.kill('SIGKILL');
  await ended(killed);

  hub.disturb = () => false;
  expect(await ended(pullIn(env))).toBe(0);
  expect(hub.requests.filter(({ url }) => url === `/cdn/${DATA}`).at(-1)?.headers.range).toBe(
    'bytes=1000000-',
  );
  expectWhole(blobs);
});

test('three concurrent processes all get the complete model', async () => {
  const { env, blobs } = await scene();
  expect(await Promise.all([1, 2, 3].map(() => ended(pullIn(env))))).toEqual([0, 0, 0]);
  expectWhole(blobs);
});

async function scene() {
  const hub = await fakeHub(ID, files);
  const home = await temporaryFolder();
  const env = { ...process.env, HF_ENDPOINT: hub.endpoint, HF_HOME: home };
  return { hub, env, blobs: join(home, 'hub', 'models--some-org--some-model', 'blobs') };
}

/** The compiled pullModel in a separate process. */
function pullIn(env: NodeJS.ProcessEnv): ChildProcess {
  const module = new URL(`file://${packageFile('dist/lib/model/hub/pull-model.js')}`);
  const program = `import { pullModel } from ${JSON.stringify(module.href)}; await pullModel(${JSON.stringify(ID)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env, stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise(resolve => child.once('exit', resolve));
}

function expectWhole(blobs: string): void {
  const names = Object.values(files).map(contentHash);
  expect(readdirSync(blobs).sort()).toEqual(names.sort());
  const content = readFileSync(join(blobs, contentHash(weights)));
  expect(createHash('sha256').update(content).digest('hex')).toBe(contentHash(weights));
}
