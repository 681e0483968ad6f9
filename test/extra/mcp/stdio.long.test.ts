import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { structured } from './connected.ts';

const program = packageFile('dist/bin/hefix.js');
const successor = {
  language: 'python',
  code: 'def f(x):\n    return x + 1\n',
  tests: 'assert f(1) == 2\n',
  entry_point: 'f',
};

test('supports clients of both protocol generations', async () => {
  const folder = await temporaryFolder();
  const script = join(folder, 'script.jsonl');
  const fixed = '```python\ndef plus(x):\n    return x + 1\n```';
  await writeFile(script, `${JSON.stringify({ completions: [fixed, fixed] })}\n`);
  for (const versionNegotiation of [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }] as const) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--backend', 'scripted', '--model', script],
      cwd: folder,
      stderr: 'ignore',
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(2);
    const judged = await client.callTool({ name: 'run_with_tests', arguments: successor });
    expect(structured(judged).result).toMatchObject({ passed: true, judge: 'proven' });
    const input = { code: 'def plus(x):\n    return x\n', examples: 'plus(1) == 2' };
    const steps: number[] = [];
    const fix = await client.callTool(
      { name: 'fix_function', arguments: input },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    expect(structured(fix).result).toMatchObject({ outcome: 'repaired', diff: expect.stringContaining('+') });
    expect(steps).toEqual(steps.map((_, index) => index + 1));
    expect((await client.listResources()).resources).toHaveLength(2);
    await client.close();
  }
});

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** A server and its output; `send` writes one line. */
async function started() {
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: await temporaryFolder() });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', chunk => (written.stdout += chunk));
  child.stderr.on('data', chunk => (written.stderr += chunk));
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const lines = () =>
    written.stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
  const answerTo = async (id: number) => {
    for (;;) {
      const found = lines().find(line => line.id === id);
      if (found) return found;
      await once(child.stdout, 'data');
    }
  };
  return { child, written, send, lines, answerTo };
}

const endless = { ...successor, code: 'def f(x):\n    while True:\n        pass\n' };
const callEndless = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'run_with_tests', arguments: endless, _meta: { progressToken: 'p' } },
};

test.each([
  ['a closed stdin', null],
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
] as const)('%s ends it immediately, with a call in progress', async (_, signal) => {
  const { child, written, send, lines, answerTo } = await started();
  send(hello);
  expect((await answerTo(1)).result.serverInfo.name).toBe('hefix');
  // An invalid message gets an answer or a log line, and the connection stays open.
  child.stdin.write('this is no JSON\n');
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send(callEndless);
  while (!lines().some(({ params }) => params?.message === 'Running the tests'))
    await once(child.stdout, 'data');
  const exit = once(child, 'exit');
  if (signal === null) child.stdin.end();
  else child.kill(signal);
  expect(await exit).toEqual([0, null]);
  for (const line of lines()) expect(line.jsonrpc).toBe('2.0');
  expect(written.stderr).toMatch(/^hefix mcp: Serving the Model Context Protocol/);
  expect(written.stderr).not.toMatch(/\[INTERNAL\]|at .*\.js:\d/);
});
