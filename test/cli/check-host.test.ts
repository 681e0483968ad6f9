import { readFileSync } from 'node:fs';
import { link, mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { caches, checkCaches } from '../../lib/cli/doctor/caches.ts';
import { checkHost, levelAdviceFor, metadataFinding } from '../../lib/cli/doctor/check-host.ts';
import { formatFindings } from '../../lib/cli/doctor/finding.ts';
import { packageFile } from '../../lib/files/package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const cache = join(tmpdir(), 'hefix-test-cache', 'that', 'is-not-there');

test('lists what the host has, and how to get the rest', async () => {
  const findings = await checkHost({ cache, environment: { DOCKER_BIN: 'no-such-engine' } });
  const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]));
  expect(states).toMatchObject({
    Node: 'good',
    Python: 'good',
    ulimit: 'good',
    'file metadata': 'good',
    Docker: 'missing',
    memory: expect.stringMatching(/good|missing/),
    cores: 'good',
    cache: 'good',
  });
  expect(Object.keys(states)).toEqual(
    expect.arrayContaining([
      'bubblewrap',
      'namespaces',
      'landlock',
      'seccomp',
      'isolated-vm',
      'Go',
      'Rust',
      'C++',
      'Java',
    ]),
  );
  for (const { state, advice } of findings) expect(advice === null).toBe(state === 'good');
  const docker = findings.find(({ name }) => name === 'Docker');
  expect(docker).toMatchObject({ detail: 'There is no program no-such-engine.' });
});

test('says that nothing works without Python', async () => {
  const findings = await checkHost({ python: 'no-such-python', cache, environment: {} });
  const python = findings.find(({ name }) => name === 'Python');
  expect(python?.state).toBe('unusable');
  expect(python?.detail).toContain('no-such-python');
  expect(findings.map(({ name }) => name)).not.toContain('bubblewrap');
});

test('says how much is in each cache, and how much may be', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'graphs', 'x'), { recursive: true });
  await writeFile(join(folder, 'graphs', 'x', 'model.onnx'), Buffer.alloc(3 * 2 ** 20));
  // The hub's weights are counted there.
  await writeFile(join(folder, 'a'), Buffer.alloc(2 ** 20));
  await link(join(folder, 'a'), join(folder, 'graphs', 'x', 'model.onnx_data'));
  const [first, ...others] = (await checkCaches(folder)).map(({ detail }) => detail);
  expect(first).toMatch(new RegExp(`^${folder}, \\d+ GiB free$`));
  expect(others).toHaveLength(Object.keys(caches).length);
  expect(others).toContain(`graphs: 3.0 MiB; ${caches.graphs}`);
  expect(others).toContain(`models: empty; ${caches.models}`);
});

test('lists every folder that hefix makes in its cache', async () => {
  const sources = await readdir(packageFile('lib'), { recursive: true });
  const named = sources
    .filter(name => name.endsWith('.ts'))
    .flatMap(name => [
      ...readFileSync(packageFile(join('lib', name)), 'utf8').matchAll(/cacheFolder\([^()]*\), '([^']+)'/g),
    ]);
  expect([...new Set(named.map(([, folder]) => folder))].sort()).toEqual(Object.keys(caches).sort());
});

test('names what onnxruntime left for its telemetry, and how to remove it', async () => {
  const XDG_CACHE_HOME = await temporaryFolder();
  const TMPDIR = await temporaryFolder();
  const options = { python: 'no-such-python', cache, environment: { XDG_CACHE_HOME, TMPDIR } };
  const found = async () => (await checkHost(options)).find(({ name }) => name === 'telemetry');
  expect(await found()).toBeUndefined();
  const folder = join(XDG_CACHE_HOME, 'Microsoft/DeveloperTools/.onnxruntime');
  await mkdir(folder, { recursive: true });
  expect(await found()).toMatchObject({ state: 'missing', advice: `Remove them: rm -r '${folder}'` });
  for (const name of ['mat-debug-4711.log', 'mat-debug-4712.log', '.ses', 'mat-debug.log'])
    await writeFile(join(TMPDIR, name), '');
  const advice = (await found())?.advice?.replace('Remove them: ', '') ?? '';
  expect(advice).toBe(`rm -r '${folder}' '${TMPDIR}'/mat-debug-*.log '${TMPDIR}'/.ses`);
  await execa('sh', ['-c', advice]);
  expect(await readdir(TMPDIR)).toEqual(['mat-debug.log']);
  expect(await found()).toBeUndefined();
});

test('prints a line for each finding, and one on what to do', () => {
  const text = formatFindings(
    [
      { name: 'Python', state: 'good', detail: '3.12.1', advice: null },
      {
        name: 'bubblewrap',
        state: 'missing',
        detail: 'it is not there',
        advice: 'apt-get install bubblewrap',
      },
      { name: 'Node', state: 'unusable', detail: 'too old', advice: 'get a newer one' },
    ],
    false,
  );
  expect(text.split('\n')).toEqual([
    '✓ Python      3.12.1',
    '– bubblewrap  it is not there',
    '              apt-get install bubblewrap',
    '✗ Node        too old',
    '              get a newer one',
  ]);
});

test('reports which metadata a candidate could change', () => {
  const protections = [
    { name: 'metadata: modes', held: false, how: '' },
    { name: 'metadata: times', held: true, how: 'PermissionError' },
  ];
  expect(metadataFinding({ level: 'ulimit', missing: null, protections })).toMatchObject({
    state: 'missing',
    detail: 'not protected at the level ulimit: modes',
  });
});

test('tells a refusal of the kernel from other reasons', () => {
  const refused = "PermissionError: [Errno 1] Operation not permitted: 'system call 272'";
  expect(levelAdviceFor('namespaces', refused)).toContain('Linux 5.12');
  const other = "PermissionError: [Errno 13] Permission denied: '/etc/ld.so.cache'";
  expect(levelAdviceFor('namespaces', other)).not.toContain('Linux 5.12');
});
