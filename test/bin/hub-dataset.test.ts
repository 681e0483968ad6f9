import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { servePack } from '../dataset/hub/served-pack.ts';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rows = readFileSync(packageFile('test/dataset/golden/good/rows.jsonl'));

test('a run on humanevalpack records the commit, and reuses it after the branch has moved', async () => {
  const hub = await servePack({ python: rows });
  const folder = await temporaryFolder();
  const out = join(folder, 'r.jsonl');
  const env = { HF_ENDPOINT: hub.endpoint, HF_HOME: folder, HF_TOKEN: undefined };
  const script = join(folder, 'script.jsonl');
  writeFileSync(script, JSON.stringify({ completions: ['No idea.', 'No idea.'] }));
  const set = ['--dataset', 'humanevalpack', '--ts', '2', '--agent', 'one-shot'];
  const run = [...set, '--backend', 'scripted', '--model', script];
  const first = await hefixHere([...run, '--out', out], { env });
  expect(first.stderr).toContain('Fetching humanevalpack: 1 MiB, once.\n');
  expect(first.exitCode).toBe(0);
  const manifest = JSON.parse(readFileSync(join(folder, 'r.manifest.json'), 'utf8'));
  expect(manifest.dataset).toMatchObject({ name: 'humanevalpack', revision: hub.commit });

  writeFileSync(join(folder, 'hub/datasets--bigcode--humanevalpack/refs/main'), 'f'.repeat(40));
  const offline = { ...env, HF_HUB_OFFLINE: '1' };
  const resumed = await hefixHere([...run, '--out', out, '--resume'], { env: offline });
  expect(resumed.exitCode).toBe(0);
  const again = await hefixHere(['rerun', out], { env: offline });
  expect(again.stdout).toContain('"same":2');
  expect(again.exitCode).toBe(0);
});
