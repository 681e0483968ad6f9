import { chmod, cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { hefixHere } from '../support/cli.ts';
import { programFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { trusting } from '../support/trust.ts';

/** What the files of the current folder may decide, tried as a user who enters a hostile folder would. */

const code = 'def double(x):\n    """\n    >>> double(4)\n    8\n    """\n    return x + 2\n';

async function hostileFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await programFolder();
  for (const [name, text] of Object.entries({ 'double.py': code, ...files })) {
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const marking = '#!/bin/sh\ntouch marked\nexec python3 "$@"\n';

/** Each with the command that would use it, and the option that is refused. */
const refused: ReadonlyArray<readonly [args: string, configuration: object, option: string]> = [
  ['fix double.py', { python: './marking.sh' }, '--python'],
  ['fix double.py', { write: true }, '--write'],
  ['fix double.py', { patch: 'marked' }, '--patch'],
  ['fix double.py', { 'allow-network': true }, '--allow-network'],
  ['fix double.py', { isolation: 'ulimit' }, '--isolation'],
  ['fix double.py', { memory: 1_000_000 }, '--memory'],
  ['fix double.py', { timeout: 3600 }, '--timeout'],
  ['fix double.py', { tests: '/etc' }, '--tests'],
  ['fix double.py', { model: '/etc' }, '--model'],
  ['fix double.py', { cache: 'marked' }, '--cache'],
  ['--ts 1', { out: 'marked' }, '--out'],
  ['--ts 1', { 'save-state': 'marked' }, '--save-state'],
  ['--ts 1', { inspect: true }, '--inspect'],
  ['--ts 1', { dataset: '/etc/passwd' }, '--dataset'],
  ['--ts 1', { sandbox: 'docker' }, '--sandbox'],
  ['--ts 1', { 'require-isolation': false }, '--require-isolation'],
  ['--ts 1', { queue: 'redis://127.0.0.1:9' }, '--queue'],
  ['--ts 1', { quiet: true }, '--quiet'],
  ['worker --queue redis://127.0.0.1:9', { shards: '/tmp' }, '--shards'],
  ['worker', { queue: 'redis://127.0.0.1:9' }, '--queue'],
  ['mcp', { allow: '/' }, '--allow'],
  ['mcp', { results: '/' }, '--results'],
  ['attack --class literals', { command: 'sh -c "touch marked" {code} {tests}' }, '--command'],
  ['exec --code a --tests b --entry-point c', { judge: 'isolated' }, '--judge'],
  ['view', { port: 80 }, '--port'],
  ['models', { folder: '/' }, '--folder'],
  ['report a.jsonl', { out: 'marked.html' }, '--out'],
];

describe('hefix.config.json of a folder', () => {
  test.each(refused)('hefix %s does not take %j', async (args, configuration, option) => {
    const folder = await hostileFolder({
      'hefix.config.json': JSON.stringify(configuration),
      'marking.sh': marking,
    });
    await chmod(join(folder, 'marking.sh'), 0o755);
    const before = (await readdir(folder)).sort();
    const { exitCode, stderr } = await hefixHere(args.split(' '), { cwd: folder });
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr.split('\n')).toEqual([
      `error ${join(folder, 'hefix.config.json')} sets ${option}, which the files of a folder may set only after hefix trust. [FOLDER_NOT_TRUSTED]`,
      `Check the file and run hefix trust in its folder, or give ${option} yourself.`,
    ]);
    expect((await readdir(folder)).sort()).toEqual(before);
    expect(await readFile(join(folder, 'double.py'), 'utf8')).toBe(code);
  });

  test.each([
    ['as its keys are written in code', 'hefix.config.json', (values: object) => values],
    ['in package.json', 'package.json', (hefix: object) => ({ name: 'x', hefix })],
  ])('no address and no key is taken, %s', async (_, name, wrapped) => {
    const server = await countingServer();
    const all = { backend: 'openai', model: 'm', 'base-url': server.address, 'api-key-env': 'SECRET' };
    const folder = await hostileFolder({ [name]: JSON.stringify(wrapped(all)) });
    const env = { SECRET: 'sk-secret', OPENAI_API_KEY: 'sk-own' };
    const byFolder = await hefixHere(['--ts', '1'], { cwd: folder, env });
    expect([byFolder.exitCode, byFolder.stderr]).toEqual([1, expect.stringContaining('FOLDER_NOT_TRUSTED')]);
    const rest = { baseUrl: server.address, apiKeyEnv: 'SECRET' };
    await writeFile(join(folder, name), JSON.stringify(wrapped(rest)));
    const half = await hefixHere(['--backend', 'openai', '--model', 'm', '--ts', '1'], { cwd: folder, env });
    expect([half.exitCode, half.stderr]).toEqual([1, expect.stringContaining('FOLDER_NOT_TRUSTED')]);
    expect(server.requests).toEqual([]);
  });

  test('harmless options are taken without a question', async () => {
    const folder = await hostileFolder({
      'hefix.config.json': JSON.stringify({ limit: 1, iters: 0, seed: 7, temperature: 0 }),
    });
    const { exitCode, stdout } = await hefixHere(['--agent', 'one-shot', '--out', 'r.jsonl'], {
      cwd: folder,
    });
    expect([exitCode, JSON.parse(stdout).summary]).toMatchObject([0, { tasks: 1 }]);
  });
});

describe('.env of a folder', () => {
  test.each([
    'HF_ENDPOINT=ADDRESS',
    'export HF_ENDPOINT="ADDRESS"',
    'hf_endpoint=x\nHF_ENDPOINT=ADDRESS\nHF_HUB_OFFLINE=0',
    'HF_HOME=FOLDER/hub\nHF_ENDPOINT=ADDRESS',
    'HUGGINGFACE_HUB_CACHE=FOLDER/hub\nHF_TOKEN_PATH=FOLDER/double.py\nHF_ENDPOINT=ADDRESS\nHF_TOKEN=theirs',
    'HEFIX_CACHE=FOLDER/cache\nXDG_CACHE_HOME=FOLDER/cache\nHF_ENDPOINT=ADDRESS',
  ])('sends nothing anywhere: %s', async text => {
    const server = await countingServer();
    const folder = await temporaryFolder();
    const filled = text.replaceAll('ADDRESS', server.address).replaceAll('FOLDER', folder);
    await writeFile(join(folder, '.env'), filled);
    const env = { HF_TOKEN: 'hf_own', HF_ENDPOINT: undefined, HF_HUB_OFFLINE: '1', HF_HOME: folder };
    const { exitCode, stderr } = await hefixHere(['pull', 'owner/model'], { cwd: folder, env });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^warning \.env sets .*HF_ENDPOINT.*, which counts? only once you trust this folder/,
      ),
    ]);
    expect(server.requests).toEqual([]);
    expect(await readdir(folder)).toEqual(['.env']);
  });

  test("a provider's key is sent to no other address", async () => {
    const server = await countingServer();
    const folder = await temporaryFolder();
    await writeFile(join(folder, '.env'), 'OPENAI_API_KEY=sk-theirs,sk-second\n');
    const args = ['--base-url', server.address, '--model', 'm', '--ts', '1', '--out', 'r.jsonl'];
    const { exitCode, stderr } = await hefixHere(args, { cwd: folder, env: { OPENAI_API_KEY: undefined } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `warning .env sets OPENAI_API_KEY, which is not sent to ${server.address} unless you trust this folder (hefix trust).`,
    );
    expect(server.requests.length).toBeGreaterThan(0);
    for (const request of server.requests) expect(request).toMatch(/ undefined$/);
  });

  test('counts for every part of a command once the folder is trusted', async () => {
    const folder = await temporaryFolder();
    const cache = join(folder, 'hub');
    const model = join(cache, 'models--owner--small');
    const commit = 'a'.repeat(40);
    const snapshot = join(model, 'snapshots', commit);
    await mkdir(join(snapshot, 'onnx'), { recursive: true });
    await mkdir(join(model, 'refs'));
    await writeFile(join(model, 'refs', 'main'), commit);
    await writeFile(join(snapshot, 'config.json'), '{"architectures":["QwenForCausalLM"]}');
    await writeFile(join(snapshot, 'tokenizer.json'), '{}');
    await writeFile(join(snapshot, 'onnx', 'model.onnx'), 'weights');
    await writeFile(join(folder, '.env'), `HF_HUB_CACHE=${cache}\nAWS_REGION=r\n`);
    const listed = async (env: object) => {
      const cleared = { HF_HUB_CACHE: undefined, AWS_REGION: undefined };
      return await hefixHere(['models', '--json'], { cwd: folder, env: { ...cleared, ...env } });
    };
    expect((await listed({ XDG_STATE_HOME: await temporaryFolder() })).stdout).not.toContain('owner/small');
    const { stdout, stderr } = await listed(await trusting(folder));
    expect(stdout).toContain('owner/small');
    expect(stderr).toBe('warning .env sets AWS_REGION, which counts only in the environment.');
  });

  test('a .env that is a pipe does not block', async () => {
    const folder = await temporaryFolder();
    await execa('mkfifo', [join(folder, '.env'), join(folder, 'hefix.config.json')]);
    expect((await hefixHere(['machine'], { cwd: folder })).exitCode).toBe(0);
  });

  test('names no container engine', async () => {
    const folder = await hostileFolder({ '.env': 'DOCKER_BIN=./marking.sh\n', 'marking.sh': marking });
    await chmod(join(folder, 'marking.sh'), 0o755);
    await hefixHere(['doctor'], { cwd: folder, env: { PATH: '/nowhere' } });
    expect(await readdir(folder)).not.toContain('marked');
  });
});

describe('hefix trust', () => {
  const configuration = JSON.stringify({ patch: 'made.diff' });
  const fix = ['fix', 'double.py', '--no-rank'];

  test('shows what the files set, asks, and remembers the answer', async () => {
    const folder = await hostileFolder({
      'hefix.config.json': configuration,
      '.env': 'HF_ENDPOINT=http://127.0.0.1:9\nOTHER=1\n',
    });
    const env = { XDG_STATE_HOME: await temporaryFolder() };
    const no = await atTerminal(['trust'], 'n', folder, env);
    expect(no).toContain(`${join(folder, 'hefix.config.json')}: patch = "made.diff"`);
    expect(no).toContain(`${join(folder, '.env')}: HF_ENDPOINT`);
    expect(no).toContain(`${folder} is not trusted.`);
    expect((await hefixHere(fix, { cwd: folder, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
    expect(await atTerminal(['trust'], 'y', folder, env)).toContain(`${folder} is trusted.`);
    const { exitCode } = await hefixHere(fix, { cwd: folder, env });
    expect([exitCode, await readdir(folder)]).toEqual([0, expect.arrayContaining(['made.diff'])]);
    expect((await hefixHere(['trust'], { cwd: folder, env })).stdout).toBe(`${folder} is trusted already.`);
    expect((await hefixHere(['trust', '--list'], { env })).stdout).toMatch(`${folder}  since `);
    const removed = await hefixHere(['trust', '--remove'], { cwd: folder, env });
    expect(removed.stdout).toBe('. is no longer trusted.');
    expect((await hefixHere(fix, { cwd: folder, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
  });

  test('is of no use to a link to another file', async () => {
    const folder = await hostileFolder({ 'hefix.config.json': configuration });
    const env = await trusting(folder);
    await rename(join(folder, 'hefix.config.json'), join(folder, 'kept.json'));
    await symlink('kept.json', join(folder, 'hefix.config.json'));
    const { stderr } = await hefixHere(fix, { cwd: folder, env });
    expect(stderr).toMatch(/hefix\.config\.json is a link, .* \[CONFIG_INVALID\]/);
  });

  test('is refused where standard input is no terminal', async () => {
    const folder = await hostileFolder({ 'hefix.config.json': configuration });
    const program = [packageFile('dist/bin/hefix.js'), 'trust'];
    const options = { cwd: folder, input: 'y\n', reject: false } as const;
    const { exitCode, stderr } = await execa(process.execPath, program, options);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[TRUST_NEEDS_TERMINAL]')]);
  });

  test('has nothing to ask in a folder without such files', async () => {
    const folder = await hostileFolder({
      '.env': 'WORKERS=2\nOTHER=1\n',
      'hefix.config.json': '{"iters":1}',
    });
    expect((await hefixHere(['trust'], { cwd: folder })).stdout).toBe(
      `The files of ${folder} set nothing that needs trust.`,
    );
  });

  const changes: ReadonlyArray<readonly [string, (folder: string) => Promise<unknown>]> = [
    [
      'the file changes',
      folder => writeFile(join(folder, 'hefix.config.json'), '{"patch":"made.diff","write":true}'),
    ],
    [
      'the file changes back and forth in one byte',
      folder => writeFile(join(folder, 'hefix.config.json'), `${configuration}\n`),
    ],
    ['.env appears', folder => writeFile(join(folder, '.env'), 'HF_ENDPOINT=http://127.0.0.1:9\n')],
    [
      'package.json takes its place',
      async folder => {
        await rename(join(folder, 'hefix.config.json'), join(folder, 'kept.json'));
        await writeFile(join(folder, 'package.json'), '{"hefix":{"patch":"made.diff","write":true}}');
      },
    ],
  ];
  test.each(changes)('ends when %s', async (_, change) => {
    const folder = await hostileFolder({ 'hefix.config.json': configuration });
    const env = await trusting(folder);
    await change(folder);
    expect((await hefixHere(fix, { cwd: folder, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
  });

  test('is of one folder: neither of a copy, nor of folders inside and around', async () => {
    const folder = await hostileFolder({ 'hefix.config.json': configuration });
    const env = await trusting(folder);
    const copy = await temporaryFolder();
    await cp(folder, copy, { recursive: true });
    const inside = join(folder, 'inside');
    await mkdir(inside);
    for (const name of ['double.py', 'hefix.config.json']) await cp(join(folder, name), join(inside, name));
    for (const cwd of [copy, inside]) {
      expect((await hefixHere(fix, { cwd, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
    }
  });

  test('does not count what others could have written', async () => {
    const folder = await hostileFolder({ 'hefix.config.json': configuration });
    const env = await trusting(folder);
    const place = join(env.XDG_STATE_HOME, 'hefix', 'trusted');
    const [name = ''] = await readdir(place);
    await chmod(join(place, name), 0o666);
    expect((await hefixHere(fix, { cwd: folder, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
    await chmod(join(place, name), 0o600);
    await chmod(place, 0o777);
    expect((await hefixHere(fix, { cwd: folder, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
  });

  test('a folder cannot trust itself by an .env that moves the list', async () => {
    const folder = await hostileFolder({ 'hefix.config.json': configuration });
    await writeFile(join(folder, '.env'), 'XDG_STATE_HOME=state\n');
    const { XDG_STATE_HOME } = await trusting(folder);
    await cp(XDG_STATE_HOME, join(folder, 'state'), { recursive: true });
    for (const env of [{}, { XDG_STATE_HOME: 'state' }]) {
      expect((await hefixHere(fix, { cwd: folder, env })).stderr).toContain('FOLDER_NOT_TRUSTED');
    }
  });
});

/** Runs the command line in a terminal of its own, and types an answer. */
async function atTerminal(
  args: readonly string[],
  answer: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const program = `import os, pty, sys
sent = False
def read(fd):
    global sent
    data = os.read(fd, 1024)
    if b'[y/N]' in data and not sent:
        sent = True
        os.write(fd, ${JSON.stringify(`${answer}\n`)}.encode())
    return data
pty.spawn(sys.argv[1:], read, lambda fd: b'')`;
  const words = ['-c', program, process.execPath, packageFile('dist/bin/hefix.js'), ...args];
  const { stdout } = await execa('python3', words, { cwd, env, reject: false });
  return stdout;
}

async function countingServer() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return { requests, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
