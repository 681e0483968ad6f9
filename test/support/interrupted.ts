import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, test } from 'vitest';
import { hefix, hefixHere, writeSmallSet } from './cli.ts';

/** A command on input that would keep it for minutes or for ever. */
export interface InterruptedCase {
  readonly args: readonly string[];
  /** Milliseconds from the start to Ctrl-C. */
  readonly after: number;
  /** A folder of the inputs. */
  readonly cwd?: string;
  readonly input?: string;
  /** Of commands that serve until they are interrupted. */
  readonly exitCode?: 0;
  /** The exit code with which it may end before, where nothing keeps it for long. */
  readonly ends?: 0 | 1;
}

export const scripted = ['--backend', 'scripted', '--model', 'script.jsonl'];

/**
 * Defines a test for each command: Ctrl-C ends it with its ordinary exit code, and it leaves nothing behind. PORT in the
 * arguments stands for a server that accepts connections and never answers.
 */
export function testInterrupts(cases: Readonly<Record<string, InterruptedCase>>): void {
  let folder = '';
  let server: Server;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    folder = await makeInputs();
    server = createServer(socket => void sockets.add(socket.on('error', () => {})));
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });

  test.concurrent.for(Object.entries(cases))('%s', async ([, each], { expect, onTestFinished }) => {
    const { args, after, cwd = '.', input, exitCode, ends = 130 } = each;
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const own = await mkdtemp(join(tmpdir(), 'hefix-own-'));
    onTestFinished(() => rm(own, { recursive: true, force: true }));
    const running = hefix(
      args.map(arg => arg.replace('PORT', port)),
      {
        cwd: join(folder, cwd),
        env: { TMPDIR: own, HEFIX_CACHE: join(own, 'cache'), HF_ENDPOINT: `http://127.0.0.1:${port}` },
        stdin: 'pipe',
        timeout: 60_000,
        killSignal: 'SIGKILL',
      },
    );
    if (input !== undefined) running.stdin?.write(input);
    await pause(after);
    const started = performance.now();
    running.kill('SIGINT');
    const { exitCode: code, signal } = await running;
    // On a busy machine some have not yet begun to listen.
    expect([exitCode ?? 130, 130, ends]).toContain(code ?? (signal === 'SIGINT' ? 130 : signal));
    expect(performance.now() - started).toBeLessThan(20_000);
    await expect.poll(() => processesNaming(own), { timeout: 10_000 }).toEqual([]);
    expect((await readdir(own)).filter(name => name !== 'cache')).toEqual([]);
  });
}

/** Processes with a folder in their environment or arguments. */
async function processesNaming(path: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const texts = ['environ', 'cmdline'].map(name =>
      readFile(`/proc/${id}/${name}`, 'latin1').catch(() => ''),
    );
    if ((await Promise.all(texts)).some(text => text.includes(path))) found.push(id);
  }
  return found;
}

async function makeInputs(): Promise<string> {
  const inputs = await mkdtemp(join(tmpdir(), 'hefix-inputs-'));
  const put = async (path: string, text: string) => {
    await mkdir(join(inputs, path, '..'), { recursive: true });
    await writeFile(join(inputs, path), text);
  };
  const { dataset } = await writeSmallSet(inputs, 1);
  const [row = ''] = (await readFile(dataset, 'utf8')).split('\n');
  const out = join(inputs, 'r.jsonl');
  await hefixHere([
    ...scripted.slice(0, 3),
    join(inputs, 'script.jsonl'),
    '--dataset',
    dataset,
    '--out',
    out,
    '--quiet',
  ]);
  const record = await readFile(out, 'utf8');
  const records = Array.from({ length: 20_000 }, (_, at) => record.replaceAll('small/0', `small/${at}`));
  const forever = 'while True:\n    pass\n';
  await put('long.jsonl', records.join(''));
  await put('long.manifest.json', await readFile(join(inputs, 'r.manifest.json'), 'utf8'));
  const task = JSON.parse(row) as { test: string };
  await put('endless.jsonl', `${JSON.stringify({ ...task, test: `${task.test}\n${forever}` })}\n`);
  await put('samples.jsonl', `${JSON.stringify({ task_id: 'small/0', completion: '    return x\n' })}\n`);
  await put('endless.py', 'def f(x):\n    return x\n');
  await put('endless_test.py', `assert f(1) == 1\n${forever}`);
  await put('endless/m.py', 'def f(x):\n    return x\n');
  await put('endless/test_m.py', `from m import f\n\n\ndef test_f():\n    while f(1):\n        pass\n`);
  await put('long/m.py', `def f(x):\n${'    x = x + 1 - 1\n'.repeat(2500)}    return x\n`);
  await put('long/test_m.py', 'from m import f\n\n\ndef test_f():\n    assert f(1) == 2.5\n');
  await put('device/m.js', 'export const f = x => x;\n');
  await put(
    'device/m.test.js',
    "import assert from 'node:assert';\nimport { f } from './m.js';\nassert(f(0));\n",
  );
  for (let at = 0; at < 300; at++) await put(`many/${at}/config.json`, '[');
  await execa('ln', ['-s', '/dev/zero', join(inputs, 'device/package.json')]);
  await execa('mkfifo', [join(inputs, 'pipe.jsonl'), join(inputs, 'pipe.manifest.json')]);
  return inputs;
}
