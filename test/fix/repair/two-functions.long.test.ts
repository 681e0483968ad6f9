import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fix } from '../../../lib/fix/fix.ts';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import type { FixOptions, FixParts } from '../../../lib/fix/options.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { twoFunctionsTask } from '../../../lib/fix/repair/two-functions.ts';
import type { FixEvent } from '../../../lib/fix/report.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import { openModel } from '../../model/server/open-model.ts';
import { type Answer, startServer, stream } from '../../model/server/test-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const python = {
  'digits.py': `def spelled(n):
    """The name of a digit."""
    return str(n)


LIMIT = 9


def listed(numbers):
    """The names of digits."""
    return ' '.join(spelled(n) for n in numbers)
`,
  'test_digits.py': `from digits import listed, spelled


def test_listed():
    assert listed([1, 2]) == 'one and two'
    assert spelled(2) == 'two'
`,
};
const spelled = "def spelled(n):\n    return ['zero', 'one', 'two'][n]\n";
const listed = "def listed(numbers):\n    return ' and '.join(spelled(n) for n in numbers)\n";

const javascript = {
  'package.json': '{ "type": "module" }\n',
  'till.js': `export class Till {
  /** In cents. */
  price(item) {
    return item.price;
  }

  receipt(items) {
    return items.map(item => this.price(item)).join();
  }
}
`,
  'till.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Till } from './till.js';

test('receipt', () => {
  const till = new Till();
  assert.equal(till.receipt([{ price: 2 }, { price: 3 }]), '200 + 300 = 500');
  assert.equal(till.price({ price: 4 }), 400);
});
`,
};
const price = 'function price(item) {\n  return item.price * 100;\n}\n';
const receipt = `function receipt(items) {
  const prices = items.map(item => this.price(item));
  return \`\${prices.join(' + ')} = \${prices.reduce((a, b) => a + b, 0)}\`;
}
`;

type Messages = readonly { readonly role: string; readonly content: string }[];

/** A project, and a model that knows nothing until it may write two functions. */
async function projectWith(
  files: Readonly<Record<string, string>>,
  answers: readonly (string | (() => void))[],
  signal = new AbortController().signal,
) {
  const folder = join(await temporaryFolder(), 'project');
  await mkdir(folder);
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  const asked: Messages[] = [];
  const answer: Answer = (response, request) => {
    const messages = request.body.messages as Messages;
    const isOfTwo = messages.at(-1)?.content.includes('answer with both functions') ?? false;
    if (isOfTwo) asked.push(messages);
    const next = isOfTwo ? answers[asked.length - 1] : undefined;
    return typeof next === 'function' ? next() : stream(next ?? 'I cannot say.')(response, request);
  };
  const server = await startServer(answer);
  const events: FixEvent[] = [];
  const options: FixOptions = {
    ...{ tests: [], cwd: folder, env: process.env, time: 100, timeout: 5, memory: 2048 },
    ...{ requireIsolation: false, allowNetwork: false, suspectsOnly: false, beams: 0, candidates: 1 },
    ...{ iterations: 1, questionTime: 0, temperature: null, maxNewTokens: 200, seed: 0 },
  };
  let saved = '';
  const parts: FixParts = {
    openModel: async () => openModel(server),
    onEvent: event => events.push(event),
    now: () => performance.now(),
    onSnapshot(snapshot) {
      saved = JSON.stringify(snapshot);
    },
  };
  const repaired = fix(options, parts, signal);
  const resumed = () => fix(options, { ...parts, snapshot: JSON.parse(saved) }, new AbortController().signal);
  return { repaired, resumed, asked, events };
}

function textIn(changes: Awaited<ReturnType<typeof fix>>['changes']): string {
  return changes.map(({ after }) => after.toString('utf8')).join('');
}

const block = (...code: readonly string[]): string => `\`\`\`\n${code.join('\n\n')}\`\`\``;

test('a model writes two functions that the same failing test executes', async () => {
  const { repaired, asked, events } = await projectWith(python, [block(spelled, listed)]);
  const report = await repaired;
  expect(report).toMatchObject({ outcome: 'repaired', after: { passed: 1, failed: 0 }, question: null });
  expect(report.repairs.map(repair => repair.function).sort()).toEqual(['listed', 'spelled']);
  expect(report.changes.map(({ file }) => file.path)).toEqual(['digits.py']);
  expect(textIn(report.changes)).toBe(
    python['digits.py'].replace('str(n)', "['zero', 'one', 'two'][n]").replace("' '", "' and '"),
  );
  // Only after each of them alone.
  const states = events.flatMap(event => (event.kind === 'state' ? [`${event.state} ${event.about}`] : []));
  expect(states.filter(state => /^(?:search|rewrite)/.test(state)).map(state => state.split(' ')[0])).toEqual(
    [...['search', 'rewrite', 'search', 'rewrite', 'rewrite']],
  );
  expect(states).toContainEqual(expect.stringMatching(/^rewrite (?:listed and spelled|spelled and listed)$/));
  expect(events.filter(({ kind }) => kind === 'repaired')).toHaveLength(2);
  const prompt = asked[0]?.at(-1)?.content;
  for (const part of [
    'return str(n)',
    "' '.join",
    'The name of a digit.',
    'The names of digits.',
    'test_listed',
  ])
    expect(prompt).toContain(part);
});

test('two methods of a JavaScript class, after an answer without code', async () => {
  const answers = ['I cannot say.', block(price, receipt)];
  const { repaired, asked } = await projectWith(javascript, answers);
  const report = await repaired;
  expect(report).toMatchObject({ outcome: 'repaired', after: { passed: 1, failed: 0 } });
  expect(report.repairs.map(repair => repair.function).sort()).toEqual(['Till.price', 'Till.receipt']);
  expect(textIn(report.changes)).toContain('  price(item) {\n    return item.price * 100;\n  }\n');
  expect(asked).toHaveLength(2);
  expect(asked[1]?.at(-1)?.content).toContain('There is no JavaScript code of');
});

test.each([
  ['the model wrote only one', [listed.replace('spelled(n)', "['zero', 'one', 'two'][n]")]],
  [
    'the other change is not needed',
    [
      listed.replace('spelled(n)', "['zero', 'one', 'two'][n]"),
      spelled.replace("['zero', 'one', 'two'][n]", 'f"{n}"'),
    ],
  ],
])('one function is reported if %s', async (_, code) => {
  const tests = python['test_digits.py'].replace(/\n.*spelled\(2\).*/, '');
  const { repaired } = await projectWith({ ...python, 'test_digits.py': tests }, [block(...code)]);
  const report = await repaired;
  expect(report).toMatchObject({ outcome: 'repaired', repairs: [{ function: 'listed', origin: 'sample' }] });
  expect(textIn(report.changes)).toContain('return str(n)');
});

test('a test that the model writes as well is left as it is', async () => {
  const test_ = 'def test_listed():\n    pass\n';
  const { repaired } = await projectWith(python, [block(test_, spelled, listed, test_)]);
  const { outcome, changes } = await repaired;
  expect([outcome, changes.map(({ file }) => file.path)]).toEqual(['repaired', ['digits.py']]);
  expect(textIn(changes)).not.toContain('test_listed');
});

test('an interrupted repair shows what two functions achieve together, and is resumed', async () => {
  const tests = `${python['test_digits.py']}\n\ndef test_three():\n    assert listed([3, 1]) == 'three and one'\n    assert spelled(3) == 'three'\n`;
  const ending = new AbortController();
  const more = spelled.replace("'two'", "'two', 'three'");
  const { repaired, resumed, events } = await projectWith(
    { ...python, 'test_digits.py': tests },
    [block(spelled, listed), () => ending.abort(new Error('Interrupted.')), block(more, listed)],
    ending.signal,
  );
  await expect(repaired).rejects.toThrow('Interrupted.');
  const last = events.at(-1);
  expect(last).toMatchObject({ kind: 'interrupted', repaired: [], best: { passed: 1, of: 2 } });
  if (last?.kind !== 'interrupted') return;
  expect(last.best?.function.split(' and ').sort()).toEqual(['listed', 'spelled']);
  expect(textIn(last.changes)).toMatch(/'two'\]\[n\][\s\S]*' and '/);
  expect(await resumed()).toMatchObject({ outcome: 'repaired', after: { passed: 2, failed: 0 } });
});

test.each([
  ['python', python['digits.py'], spelled, listed],
  ['js', javascript['till.js'], price, receipt],
] as const)(
  'versions of two functions fit back into the file, in any order: %s',
  async (language, text, first, second) => {
    const parser = await openParser(language);
    const file = readSource('a', Buffer.from(text));
    const [one, other] = functionsIn(parser, file);
    if (!one || !other) throw new Error('There are two functions.');
    const both = twoFunctionsTask(parser, language, text, [other, one]);
    expect(both.fileWith(both.task.buggy)).toBe(text);
    expect(both.versionIn('I cannot say.')).toBeNull();
    const inOrder = both.versionIn(block(first, second));
    expect(both.versionIn(block(second, first))).toBe(inOrder);
    const lines = (code: string | null) => both.fileWith(code ?? '')?.split('\n') ?? [];
    const onlyFirst = lines(both.versionIn(block(first)));
    expect(onlyFirst.slice(one.lastLine)).toEqual(text.split('\n').slice(one.lastLine));
    expect(lines(inOrder).slice(0, one.lastLine)).toEqual(onlyFirst.slice(0, one.lastLine));
    expect(lines(inOrder)).not.toEqual(onlyFirst);
    expect(onlyFirst.join('\n')).not.toBe(text);
  },
);
