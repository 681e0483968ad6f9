import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { GenerateRequest, TextModel } from '../../../lib/core/ports.ts';
import { fix } from '../../../lib/fix/fix.ts';
import type { FixOptions, FixParts } from '../../../lib/fix/options.ts';
import { unifiedDiff } from '../../../lib/fix/patch/unified-diff.ts';
import { writeChanges } from '../../../lib/fix/patch/write-changes.ts';
import type { FixEvent } from '../../../lib/fix/report.ts';
import { createScriptedModel } from '../../../lib/model/scripted.ts';
import { openModel } from '../../model/server/open-model.ts';
import { type Answer, failure, startServer, stream, whole } from '../../model/server/test-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CODE = `"""Prices of a shop."""
RATE = 0.1


class Basket:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(self.items) * (1 + RATE)


def parse(text):
    return [int(part) for part in text.split(",")]
`;
const TESTS = `from shop.money import Basket, parse


def test_total():
    basket = Basket()
    basket.items = parse("1.5; 2.5")
    assert basket.total() == 4.8


def test_whole_numbers():
    assert parse("1;2") == [1, 2]


def test_empty():
    assert Basket().total() == 0
`;
const edit = (path: string, search: string, replace: string) =>
  `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const RATE = edit('shop/money.py', 'RATE = 0.1', 'from decimal import Decimal\n\nRATE = 0.2');
const PARSE = edit(
  'shop/money.py',
  'def parse(text):\n    return [int(part) for part in text.split(",")]',
  'def parse(text):\n    return [_number(part) for part in text.split(";")]\n\n\ndef _number(part):\n    value = Decimal(part.strip())\n    return int(value) if value == int(value) else float(value)',
);
const RIGHT = `The separator and the rate are wrong.\n\n${RATE}\n${PARSE}\nThat should do.`;

async function shop(tests = TESTS, code = CODE): Promise<string> {
  const folder = await temporaryFolder();
  const files = { 'shop/__init__.py': '', 'shop/money.py': code, 'tests/test_money.py': tests };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** A project with few edits, none of which repairs it: the search soon ends. */
const hopeless = () =>
  shop(
    'from shop.money import rate\n\n\ndef test_rate():\n    assert rate() == "twenty"\n',
    'RATE = 0.1\n\n\ndef rate():\n    return RATE\n',
  );

async function repaired(
  answers: readonly [Answer, ...Answer[]],
  { openModel: opened, ...changed }: Partial<FixOptions & Pick<FixParts, 'openModel'>> = {},
) {
  const server = await startServer(...answers);
  const events: FixEvent[] = [];
  const options: FixOptions = {
    ...{ tests: [], cwd: await shop(), env: process.env, time: 60, timeout: 5, memory: 2048 },
    ...{ requireIsolation: false, allowNetwork: false, suspectsOnly: false, beams: 0 },
    ...{ iterations: 2, questionTime: 0, temperature: null, maxNewTokens: 200, seed: 0 },
    ...{ converses: true, maxRequests: 4 },
    ...changed,
  };
  const warnings: string[] = [];
  const parts: FixParts = {
    openModel: opened ?? (async () => openModel(server)),
    onEvent: event => events.push(event),
    onWarning: sentence => warnings.push(sentence),
    now: () => performance.now(),
  };
  const report = await fix(options, parts, new AbortController().signal);
  const prompts = server.requests.map(({ body }) =>
    (body.messages as { content: string }[]).map(({ content }) => content),
  );
  const diff = unifiedDiff(report.changes).toString('utf8');
  return { report, diff, prompts, server, warnings, events };
}

test('one answer changes a constant, an import, a function and adds a helper', async () => {
  const { report, diff, prompts, events } = await repaired([stream(RIGHT)]);
  expect(report).toMatchObject({
    outcome: 'repaired',
    after: { failed: 0 },
    repairs: [
      { kind: 'constant', file: 'shop/money.py', function: 'RATE' },
      { kind: 'function', file: 'shop/money.py', function: 'parse' },
    ],
    model: { requests: 1 },
  });
  expect(diff).toContain('+from decimal import Decimal');
  const [system, task] = prompts[0] ?? [];
  expect(system).toContain('<<<<<<< SEARCH');
  for (const shown of [
    'basket.items = parse("1.5; 2.5")',
    'self.items = []',
    'RATE = 0.1',
    'tests/test_money.py',
  ])
    expect(task).toContain(shown);
  expect(events.filter(({ kind }) => kind === 'prompt')).toHaveLength(1);
});

test('the preparation of a model is not part of the time', async () => {
  const server = await startServer(stream(RIGHT));
  const prepared = async (isTimed: boolean) => {
    const opened: FixParts['openModel'] = async (_, __, untimed) => {
      await (isTimed ? wait(18_000) : untimed(wait(18_000)));
      return openModel(server);
    };
    return (await repaired([stream('')], { time: 12, openModel: opened })).report;
  };
  expect(await prepared(false)).toMatchObject({ outcome: 'repaired', timeUp: false, model: { requests: 1 } });
  expect(await prepared(true)).toMatchObject({ timeUp: true, model: { requests: 0 } });
});

test('each prompt says what the last answer was worth, with values of the tests', async () => {
  const wrong = stream(edit('shop/money.py', 'RATE = 0.1', 'RATE = 0.3'));
  const half = RIGHT.slice(0, RIGHT.indexOf('>>>>>>> REPLACE') - 20);
  const cut = whole('', { choices: [{ message: { content: half }, finish_reason: 'length' }] });
  const answers = [stream('SHOW shop/__init__.py'), wrong, wrong, cut, stream(RIGHT)] as const;
  const { report, prompts } = await repaired(answers, { maxRequests: 5, iterations: 4 });
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 5 } });
  expect(prompts[1]?.[1]).toContain('## shop/__init__.py');
  expect(prompts[2]).toHaveLength(4);
  expect(prompts[2]?.[2]).toContain('RATE = 0.3');
  expect(prompts[2]?.[3]).toContain('0 of the 2 failing tests pass');
  expect(prompts[3]?.[3]).toContain('You have given this answer before');
  expect(prompts[4]?.[3]).toContain('cut off by the limit');
});

test('the next prompt says why edits were not applied, and where no file is added', async () => {
  const added = ['pytest.py', 'other/number.py', '../number.py', 'tests/conftest.py', 'shop/setup.py'];
  const answer = [
    edit('tests/test_money.py', 'assert basket.total() == 4.8', 'assert True'),
    edit('shop/money.py', 'RATE = 0.15', 'RATE = 0.2'),
    ...added.map(path => edit(path, '', 'def number(part):\n    return float(part)\n')),
  ];
  const { report, prompts, diff } = await repaired([stream(answer.join('\n')), stream(RIGHT)]);
  const told = prompts[1]?.[3];
  expect(told).toContain('tests/test_money.py belongs to the tests');
  expect(told).toContain('The nearest lines are');
  for (const path of ['pytest.py', 'other/number.py'])
    expect(told).toContain(`There is no file ${path}, and none can be added`);
  for (const path of ['../number.py', 'shop/setup.py']) expect(told).toContain(`${path} is no source file`);
  expect(told).toContain('tests/conftest.py belongs to the tests');
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 2 } });
  expect(report.changes.map(({ file }) => file.path)).toEqual(['shop/money.py']);
  expect(diff).not.toContain('tests/test_money.py');
});

test('a context that is too small gets a shorter prompt', async () => {
  const small = failure(400, "This model's maximum context length is 2048 tokens.");
  const { report, prompts } = await repaired([small, stream(RIGHT)], {
    ...{ context: 1200, cwd: await hopeless() },
  });
  expect(prompts).toHaveLength(1);
  expect(report.model?.requests).toBe(1);
  const { report: second } = await repaired([small, stream(RIGHT)]);
  expect(second).toMatchObject({ outcome: 'repaired', model: { requests: 2 } });
});

test('a conversation goes on after a limit of requests, and repeats only the request', async () => {
  const limited = failure(429, 'slow down', {}, { 'retry-after-ms': '10' });
  const { report, server } = await repaired([
    stream(edit('shop/money.py', 'RATE = 0.1', 'RATE = 3')),
    limited,
    stream(RIGHT),
  ]);
  expect(report).toMatchObject({ outcome: 'repaired', after: { failed: 0 } });
  expect(server.requests).toHaveLength(3);
  expect(server.requests[2]?.body).toEqual(server.requests[1]?.body);
});

test('the report says why a model was never reached', async () => {
  const { report } = await repaired([failure(401, 'unknown key')], { cwd: await hopeless() });
  expect(report.model).toMatchObject({ completionTokens: 0, failure: expect.stringMatching(/key/) });
});

test('no more is asked than the limits allow', async () => {
  const wrong = (rate: string) => stream(edit('shop/money.py', 'RATE = 0.1', `RATE = ${rate}`));
  const answers = [wrong('1'), wrong('2'), wrong('3'), wrong('4')] as const;
  const { report, prompts } = await repaired(answers, { cwd: await hopeless(), maxRequests: 3 });
  expect(prompts).toHaveLength(3);
  expect(report.outcome).toBe('not-repaired');
  const limited = await repaired(answers, { cwd: await hopeless(), maxTokens: 10 });
  expect(limited.prompts).toHaveLength(1);
});

test('hunks that are not needed are taken out', async () => {
  const more = edit('shop/money.py', '        self.items = []', '        self.items = list()');
  const { report, diff } = await repaired([stream(`${RIGHT}\n${more}`)]);
  expect(report.outcome).toBe('repaired');
  expect(diff).not.toContain('list()');
  expect(diff).toContain('Decimal');
});

test('a new file of the package is part of the repair, of its diff and of what is written', async () => {
  const added = edit('shop/number.py', '', 'def number(part):\n    return float(part.strip())\n');
  const answer = [
    added,
    edit('shop/money.py', 'RATE = 0.1', 'from shop.number import number\n\nRATE = 0.2'),
    edit(
      'shop/money.py',
      '    return [int(part) for part in text.split(",")]',
      '    return [number(part) for part in text.split(";")]',
    ),
  ].join('\n');
  const { report, diff } = await repaired([stream(answer)]);
  expect(report).toMatchObject({ outcome: 'repaired', after: { failed: 0 } });
  expect(diff).toContain('--- /dev/null\n+++ b/shop/number.py\n@@ -0,0 +1,2 @@\n+def number(part):');
  const patch = join(await temporaryFolder(), 'repair.patch');
  await writeFile(patch, diff);
  execFileSync('git', ['apply', patch], { cwd: report.project });
  const written = await readFile(join(report.project, 'shop/number.py'), 'utf8');
  await rm(join(report.project, 'shop/number.py'));
  execFileSync('git', ['apply', '-R', '--include', 'shop/money.py', patch], { cwd: report.project });
  await writeChanges(report.project, report.changes, true);
  expect(await readFile(join(report.project, 'shop/number.py'), 'utf8')).toBe(written);
  // It exists now.
  await expect(writeChanges(report.project, report.changes, false)).rejects.toMatchObject({
    code: 'FILE_CHANGED',
  });
});

test('a model that calls functions reads files and runs tests before it answers', async () => {
  const called = (name: string, given: string) =>
    whole('', {
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: given } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    });
  const one = 'tests/test_money.py::test_whole_numbers';
  const { report, server, events } = await repaired(
    [
      called('read_file', '{"path":"tests/test_money.py"'),
      called('read_file', JSON.stringify({ path: 'tests/test_money.py', first_line: 4, last_line: 7 })),
      called('search', JSON.stringify({ text: 'RATE' })),
      called('list_tests', '{}'),
      called('run_tests', JSON.stringify({ ids: [one], edits: RIGHT })),
      called('delete_tests', '{}'),
      stream(RIGHT),
    ],
    { usesTools: true, maxRequests: 8, iterations: 7 },
  );
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 7 } });
  const body: unknown = server.requests.at(-1)?.body;
  const { messages, tools } = body as {
    messages: { role: string; content: string }[];
    tools: unknown[];
  };
  expect(tools).toHaveLength(4);
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(results[0]).toContain('The arguments are not valid');
  expect(results[1]).toBe(TESTS.split('\n').slice(3, 7).join('\n'));
  expect(results[2]).toContain('shop/money.py:10: return sum(self.items) * (1 + RATE)');
  expect(results[3]).toContain(`FAILED ${one}`);
  expect(results[4]).toBe(`${one}: passed`);
  expect(results[5]).toContain('There is no function delete_tests.');
  expect(events.filter(({ kind }) => kind === 'call')).toHaveLength(6);
});

test('the last request offers no functions, and asks for an answer', async () => {
  const search = whole('', {
    choices: [
      {
        message: {
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'search', arguments: '{"text":"RATE"}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
  });
  const { report, server } = await repaired([search, stream(RIGHT)], { usesTools: true, maxRequests: 2 });
  expect(server.requests.map(({ body }) => 'tools' in body)).toEqual([true, false]);
  expect(report.outcome).toBe('repaired');
});

const PARSING = `from shop.money import Basket, parse


def test_whole_numbers():
    assert parse("1;2.5") == [1, 2.5]


def test_empty():
    assert Basket().total() == 0
`;
const PARSED =
  'shop/money.py\n```python\ndef parse(text):\n    return [float(part) for part in text.split(";")]\n```';

test('after two answers without an edit that applies, one function is asked for as a whole', async () => {
  const away = stream(edit('shop/money.py', 'return [int(p) for p in text.split(",")]', 'return []'));
  const wrong = stream(PARSED.replace('";"', '"."'));
  const { report, prompts, server, diff } = await repaired(
    [stream('The separator is wrong.'), away, wrong, stream(PARSED)],
    { cwd: await shop(PARSING), iterations: 3 },
  );
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 4 } });
  expect(diff).toContain('+    return [float(part) for part in text.split(";")]');
  expect(prompts.map(messages => messages.length)).toEqual([2, 4, 2, 4]);
  expect(prompts[1]?.[3]).toContain('Your answer contains no edits.');
  expect(prompts[2]?.[0]).toContain('one code block with the whole function');
  expect(prompts[2]?.[1]).toContain('`parse` in shop/money.py');
  expect(prompts[2]?.[1]).not.toContain('class Basket');
  expect(prompts[3]?.[3]).toContain('0 of the 1 failing tests pass');
  const grammars = server.requests.map(({ body }) => body.grammar);
  expect(grammars.map(each => typeof each)).toEqual(['undefined', 'string', 'string', 'string']);
  expect(grammars[1]).toContain('f0l0 ::= "\\"\\"\\"Prices of a shop.\\"\\"\\"\\n"');
  expect(grammars[2]).toContain('```python\\ndef parse"');
});

/** A model that runs here, and what it was asked. */
function localModel(answers: readonly string[], contextLength = 3000) {
  const requests: GenerateRequest[] = [];
  const model: TextModel = {
    ...createScriptedModel({ completions: answers }),
    ...{ device: 'cpu', contextLength },
  };
  const openModel = async (): Promise<TextModel> => ({
    ...model,
    generate(request, options) {
      requests.push(request);
      return model.generate(request, options);
    },
  });
  return { requests, openModel };
}

test('a local model converses, and continues the function that it is asked for', async () => {
  const away = edit('shop/money.py', 'return [int(p) for p in text.split(",")]', 'return []');
  const rest = '(text):\n    return [float(part) for part in text.split(";")]\n```\n';
  const { requests, openModel: opened } = localModel(['The separator is wrong.', away, rest]);
  const { report, diff, events } = await repaired([stream('')], {
    ...{ cwd: await shop(PARSING), openModel: opened },
  });
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 3 } });
  expect(diff).toContain('+    return [float(part) for part in text.split(";")]');
  const start = 'shop/money.py\n```python\ndef parse';
  expect(requests.map(({ prefill, endAfter }) => [prefill, endAfter])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [start, 'fence'],
  ]);
  expect(requests.map(({ temperature }) => temperature)).toEqual([0, 0.2, 0.4]);
  expect(requests.map(({ maxNewTokens }) => maxNewTokens)).toEqual([1024, 1024, 1024]);
  expect(events.filter(({ kind }) => kind === 'answer').at(-1)).toEqual({
    kind: 'answer',
    text: start + rest,
  });
});

test('a local model with a short context is asked in short prompts, or not at all', async () => {
  const long = `${'# more\n'.repeat(2000)}`;
  const cwd = await shop(PARSING);
  await writeFile(join(cwd, 'shop/money.py'), CODE.replace('def parse', `${long}def parse`));
  const { requests, openModel: opened } = localModel([PARSED], 2200);
  const { report } = await repaired([stream('')], { cwd, openModel: opened });
  expect(report.outcome).toBe('repaired');
  const characters = requests[0]?.messages.reduce((sum, { content }) => sum + content.length, 0);
  expect(characters).toBeLessThan(1200 * 3.5);
  const short = localModel([RIGHT], 1500);
  const { report: second, warnings } = await repaired([stream('')], {
    ...{ openModel: short.openModel, cwd: await hopeless() },
  });
  expect(short.requests).toEqual([]);
  expect(second.model?.failure).toContain('scripted takes only 1500 tokens');
  expect(warnings).toEqual([expect.stringContaining('scripted takes only 1500 tokens')]);
});

test('a request is aborted without a warning once the search has repaired the project', async () => {
  const cwd = await shop(PARSING.replace('"1;2.5") == [1, 2.5]', '"1;2") == [1, 2]'));
  const wrong = edit('shop/money.py', 'RATE = 0.1', 'RATE = 0.3');
  let aborted: unknown = null;
  const scripted = createScriptedModel({ completions: [wrong] });
  let asked = 0;
  const model: TextModel = {
    ...scripted,
    async generate(request, options) {
      if (asked++ === 0) return await scripted.generate(request, options);
      return await new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => {
          aborted = options.signal?.reason;
          reject(aborted);
        });
      });
    },
  };
  const { report, warnings } = await repaired([stream('')], { cwd, openModel: async () => model });
  expect(report).toMatchObject({ repairs: [{ function: 'parse', origin: 'edit' }], model: { requests: 2 } });
  expect(aborted).not.toBeNull();
  expect(warnings).toEqual([]);
});

test('an edit that passes waits for a model that is being prepared no longer than for a slow one', async () => {
  const cwd = await shop(PARSING.replace('"1;2.5") == [1, 2.5]', '"1;2") == [1, 2]'));
  const opened: FixParts['openModel'] = (signal, _, untimed) =>
    untimed(new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  const { report } = await repaired([stream('')], { cwd, time: 8, openModel: opened });
  expect(report).toMatchObject({ repairs: [{ function: 'parse', origin: 'edit' }], model: { requests: 0 } });
});

test('a server that refuses grammars is asked without them', async () => {
  const words = stream('The separator is wrong.');
  const refused = failure(400, 'Unrecognized request argument supplied: guided_grammar');
  const { report, server } = await repaired([words, refused, words, stream(PARSED)], {
    cwd: await shop(PARSING),
  });
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 3 } });
  expect(server.requests.map(({ body }) => 'grammar' in body)).toEqual([false, true, false, false]);
});

const COUNTING = `export function size(list) {
  globalThis.total = (globalThis.total ?? 0) + list.length;
  return globalThis.total;
}
`;
const COUNTED = `import assert from 'node:assert';
import { test } from 'node:test';
import { size } from './size.mjs';

test('size', () => {
  assert.strictEqual(size([1]) + size([1, 2]), 3);
  assert.strictEqual(globalThis.total, undefined);
});
`;

test('what a wrong answer sets in the process of the tests is not there for the next', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'size.mjs'), COUNTING);
  await writeFile(join(cwd, 'size.test.mjs'), COUNTED);
  const wrong = edit('size.mjs', '  return globalThis.total;', '  return globalThis.total - 1;');
  const right = edit(
    'size.mjs',
    COUNTING.trimEnd(),
    'export function size(list) {\n  return list.length;\n}',
  );
  const { report } = await repaired([stream(wrong), stream(right)], { cwd });
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 2 } });
});

test('a model is told when its change passes the tests only once', async () => {
  // The second call in the first run of a process is wrong; the failing tests alone make one.
  const chance = `import os
import tempfile
from decimal import Decimal

MARK = os.path.join(tempfile.gettempdir(), "ran")


class Rate:
    isFirst = not os.path.exists(MARK)
    calls = 0
    open(MARK, "w").close()

    def __radd__(self, other):
        Rate.calls += 1
        return float("inf") if (Rate.isFirst, Rate.calls) == (True, 2) else other + 0.2


RATE = Rate()`;
  const once = RIGHT.replace('from decimal import Decimal\n\nRATE = 0.2', chance);
  const { report, prompts } = await repaired([stream(once), stream(RIGHT)]);
  expect(prompts[1]?.[3]).toContain('ran again in a new process');
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 2 } });
});

test('a test that an answer seems to break is run again, as it may have failed by chance', async () => {
  // It fails in the second run with the right answer in a process, which is the first of all tests.
  const chance = `${TESTS}

def test_by_chance():
    assert RUNS != 2


import os
import tempfile
from shop import money

MARK = os.path.join(tempfile.gettempdir(), "runs")
RUNS = 0
if money.RATE == 0.2:
    with open(MARK, "a+") as marks:
        marks.write("x")
        RUNS = marks.tell()
`;
  const { report } = await repaired([stream(RIGHT)], { cwd: await shop(chance) });
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 1 } });
});

test('a new function may have examples', async () => {
  const example = RIGHT.replace(
    'def _number(part):\n',
    'def _number(part):\n    """\n    >>> _number("2")\n    2\n    """\n',
  );
  const { report, diff } = await repaired([stream(example)]);
  expect(report).toMatchObject({ outcome: 'repaired', model: { requests: 1 } });
  expect(diff).toContain('>>> _number("2")');
});
