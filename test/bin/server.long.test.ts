import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutTimes } from '../../lib/core/record.ts';
import { parseRecords } from '../../lib/report/results/read-results.ts';
import {
  type Answer,
  failure,
  json,
  raw,
  silent,
  startServer,
  stream,
  usage,
  usageOf,
  whole,
} from '../model/server/test-server.ts';
import { hefixHere, writeSmallSet } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trusting } from '../support/trust.ts';

const FIRST = 'sk-first-5ecret0123456789';
const SECOND = 'sk-second-5ecret0123456789';
const NO_KEYS = {
  OPENAI_API_KEY: undefined,
  TOGETHER_API_KEY: undefined,
  HF_TOKEN: undefined,
  HF_API_TOKEN: undefined,
};

/** Each test runs several commands. */

/** Solves each task of the small set with the second answer. */
const solving: Answer = (response, received) => {
  const messages = JSON.stringify(received.body.messages);
  const index = /def plus_(\d+)\(/.exec(messages)?.[1];
  const body = messages.includes('- 7') ? `x + ${index}` : `x * ${index} - 7`;
  return stream('```python\n', `def plus_${index}(x):\n    return ${body}\n`, '```')(response, received);
};

async function setUp(tasks: number) {
  const folder = await temporaryFolder();
  const { dataset } = await writeSmallSet(folder, tasks);
  const common = ['--backend', 'openai', '--model', 'coder', '--dataset', dataset, '--iters', '1'];
  return {
    folder,
    run: (out: string, args: readonly string[], environment = {}, signal?: AbortSignal) =>
      hefixHere([...common, '--out', join(folder, out), ...args], {
        cwd: folder,
        env: { ...NO_KEYS, ...environment },
        ...(signal && { signal }),
      }),
    async records(out: string) {
      const path = join(folder, out);
      return parseRecords(path, await readFile(path)).records;
    },
  };
}

/** Every file below a folder except `.env`. */
async function everythingWritten(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && entry.name !== '.env');
  const contents = files.map(file => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(contents)).join('\n');
}

test('repairs with a server and two keys, one of which is rate limited', async () => {
  const { folder, run, records } = await setUp(3);
  const server = await startServer((response, received) => {
    const limited = received.headers.authorization === `Bearer ${FIRST}`;
    const answer = limited ? failure(429, 'Rate limit', {}, { 'retry-after': '120' }) : solving;
    return answer(response, received);
  });
  const { stdout, stderr, exitCode } = await run(
    'r.jsonl',
    ['--base-url', server.baseUrl, '--price-in', '1', '--price-out', '2', '--verbose', '--debug'],
    { OPENAI_API_KEY: `${FIRST},${SECOND}` },
  );
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('3/3, 100.0%')]);
  expect(stderr).toContain('goes out with key 2 of 2 in OPENAI_API_KEY.');
  const keys = server.requests.map(({ headers }) => headers.authorization);
  expect(keys).toEqual([`Bearer ${FIRST}`, ...Array(6).fill(`Bearer ${SECOND}`)]);

  const answered = server.requests.slice(1).map(request => usageOf(request).prompt_tokens);
  const prompt = answered.reduce((sum, tokens) => sum + tokens, 0);
  const completion = answered.length * usage.completion_tokens;
  const { summary, model } = JSON.parse(String(stdout));
  expect(model).toEqual({ name: 'coder', fingerprint: `${server.baseUrl} coder` });
  expect(summary).toMatchObject({
    solved: 3,
    tokens: { prompt, completion },
    cost: (prompt + completion * 2) / 1e6,
    cached_replies: 0,
  });
  expect((await records('r.jsonl')).map(({ passed, iters }) => [passed, iters])).toEqual(
    Array(3).fill([true, 1]),
  );
  expect(`${stdout}${stderr}${await everythingWritten(folder)}`).not.toContain('5ecret');
});

test('reads keys from .env of a trusted folder, from the environment, which overrides it, and from a named variable', async () => {
  const { folder, run } = await setUp(1);
  const server = await startServer(whole('no code'));
  await writeFile(join(folder, '.env'), `OPENAI_API_KEY=${FIRST}\nMY_KEY=${SECOND}\n`);
  const trusted = await trusting(folder);
  const keyOf = async (out: string, args: readonly string[], environment = {}) => {
    const { exitCode, stderr } = await run(
      out,
      ['--base-url', server.baseUrl, '--max-new-tokens', '9', ...args],
      { ...trusted, ...environment },
    );
    expect([exitCode, stderr]).toEqual([0, expect.anything()]);
    return server.requests.at(-1)?.headers.authorization;
  };
  expect(await keyOf('a.jsonl', [])).toBe(`Bearer ${FIRST}`);
  expect(await keyOf('b.jsonl', ['--api-key-env', 'MY_KEY'])).toBe(`Bearer ${SECOND}`);
  expect(await keyOf('c.jsonl', [], { OPENAI_API_KEY: 'sk-own' })).toBe('Bearer sk-own');
  expect(await everythingWritten(folder)).not.toContain('5ecret');
});

test('pays for nothing twice with --cache, and writes the same records', async () => {
  const { folder, run, records } = await setUp(2);
  const server = await startServer(solving);
  const args = ['--base-url', server.baseUrl, '--price-in', '1', '--price-out', '1'];
  const first = await run('a.jsonl', [...args, '--cache', join(folder, 'cache')]);
  expect([first.exitCode, first.stderr]).toEqual([0, expect.anything()]);
  const second = await run('b.jsonl', [...args, `--cache=${join(folder, 'cache')}`]);
  expect([second.exitCode, second.stderr]).toEqual([0, expect.stringContaining('4 answers from the cache')]);
  expect(server.requests).toHaveLength(4);

  const [before, after] = [await records('a.jsonl'), await records('b.jsonl')];
  expect(after.map(withoutTimes)).toEqual(before.map(withoutTimes));
  expect(before.map(({ cached }) => cached)).toEqual([undefined, undefined]);
  const tokens = server.requests.map(usageOf).map(({ total_tokens }) => total_tokens);
  const { prompt, completion } = before[0]?.token_usage ?? {};
  expect(after[0]?.cached).toEqual({ replies: 2, prompt, completion });
  expect(JSON.parse(String(first.stdout)).summary).toMatchObject({
    cost: tokens.reduce((sum, count) => sum + count, 0) / 1e6,
    cached_replies: 0,
  });
  expect(JSON.parse(String(second.stdout)).summary).toMatchObject({ cost: 0, cached_replies: 4 });
});

test('keeps answers in the cache folder of hefix if --cache names none', async () => {
  const { folder, run } = await setUp(1);
  const server = await startServer(solving);
  await run('a.jsonl', ['--cache', '--base-url', server.baseUrl], { HEFIX_CACHE: join(folder, 'kept') });
  const kept = await readdir(join(folder, 'kept', 'replies'), { recursive: true });
  expect(kept.filter(name => name.endsWith('.json'))).toHaveLength(2);
});

test.each<[string, string, RegExp, Answer]>([
  [
    'a wrong key',
    'BACKEND_KEY_REFUSED',
    /refused the key in OPENAI_API_KEY/,
    failure(401, `Wrong: ${FIRST}`),
  ],
  ['an unknown model', 'BACKEND_MODEL_UNKNOWN', /has no model "coder"/, failure(404, 'model not found')],
  ['a wrong address', 'BACKEND_ADDRESS_WRONG', /is not there: Not Found/, json({ detail: 'Not Found' }, 404)],
])('ends the run at once for %s, and names it', async (_, code, sentence, answer) => {
  const { folder, run } = await setUp(3);
  const server = await startServer(answer);
  const { stdout, stderr, exitCode } = await run('r.jsonl', ['--base-url', server.baseUrl, '--debug'], {
    OPENAI_API_KEY: FIRST,
  });
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(sentence);
  expect(stderr).toContain(`[${code}]`);
  expect(server.requests).toHaveLength(1);
  expect(`${stderr}${await everythingWritten(folder)}`).not.toContain('5ecret');
});

test('ends the run if the server is unreachable after all retries', async () => {
  const { run } = await setUp(3);
  const { stderr, exitCode } = await run('r.jsonl', ['--base-url', 'http://127.0.0.1:1/v1']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'http://127.0.0.1:1/v1 cannot be reached: the connection is refused. [BACKEND_UNREACHABLE]\nCheck --base-url',
  );
});

test('resumes from the records after the server was lost', async () => {
  const { run, records } = await setUp(3);
  const server = await startServer(solving, solving, failure(404, 'model not loaded'), solving);
  const args = ['--base-url', server.baseUrl];
  const { exitCode, stderr } = await run('r.jsonl', args);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('[BACKEND_MODEL_UNKNOWN]')]);
  expect(await records('r.jsonl')).toHaveLength(1);
  expect((await run('r.jsonl', [...args, '--resume'])).exitCode).toBe(0);
  expect((await records('r.jsonl')).map(({ passed }) => passed)).toEqual([true, true, true]);
});

test('records a task whose prompt is too long as an error, and continues with the others', async () => {
  const tooLong = failure(400, 'the context length is 10', { code: 'context_length_exceeded' });
  const { run, records } = await setUp(2);
  const server = await startServer((response, received) => {
    const isFirst = JSON.stringify(received.body.messages).includes('plus_0');
    return (isFirst ? tooLong : solving)(response, received);
  });
  const { exitCode } = await run('r.jsonl', ['--base-url', server.baseUrl]);
  expect(exitCode).toBe(0);
  expect((await records('r.jsonl')).map(({ passed, error }) => [passed, error?.code])).toEqual([
    [null, 'BACKEND_CONTEXT_TOO_LONG'],
    [true, undefined],
  ]);
  // Once for the first task, twice for the one that is solved with the second answer.
  expect(server.requests).toHaveLength(3);
});

test('asks for a missing key before anything is sent', async () => {
  const { run } = await setUp(1);
  const { stderr, exitCode } = await run('r.jsonl', ['--provider', 'together']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'https://api.together.ai/v1 needs an API key, and none is set. [BACKEND_KEY_MISSING]',
  );
  expect(stderr).toContain('Set TOGETHER_API_KEY in the environment or in .env, or name another variable');
});

test('does not print a key that was passed as the name of its variable', async () => {
  const { folder, run } = await setUp(1);
  const { stderr, exitCode } = await run('r.jsonl', ['--api-key-env', FIRST, '--debug']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('[BACKEND_KEY_MISSING]');
  expect(`${stderr}${await everythingWritten(folder)}`).not.toContain('5ecret');
});

test('stops at Ctrl-C while a server does not answer', async () => {
  const { run } = await setUp(1);
  const server = await startServer(silent);
  const interrupt = new AbortController();
  const running = run('r.jsonl', ['--base-url', server.baseUrl], {}, interrupt.signal);
  await expect.poll(() => server.requests.length).toBe(1);
  interrupt.abort();
  const { exitCode, stderr } = await running;
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining('Interrupted; 0 of 1 tasks')]);
});

test('prints a server’s message without its control characters', async () => {
  const { run } = await setUp(1);
  const server = await startServer(raw('\u001b[31mred\u0007', 'text/plain', 400));
  const { stderr } = await run('r.jsonl', ['--base-url', server.baseUrl]);
  expect(stderr).toContain('red');
  expect(stderr).not.toMatch(/[\u0007\u001b]/);
});
