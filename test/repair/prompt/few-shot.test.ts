import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_EXAMPLES } from '../../../lib/core/choices.ts';
import { HefixError } from '../../../lib/core/errors.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import type { Task } from '../../../lib/core/task.ts';
import { type Language, languages } from '../../../lib/core/task.ts';
import { styleOf } from '../../../lib/repair/actors/create-actors.ts';
import { workedExamples } from '../../../lib/repair/prompt/worked-examples/worked-examples.ts';
import { createJavaScriptSandbox } from '../../../lib/sandbox/javascript/host/javascript-sandbox.ts';
import { createPythonSandbox } from '../../../lib/sandbox/python/host/python-sandbox.ts';
import { isolatedVm } from '../../support/needs.ts';

const task: Task = {
  id: 'test/total',
  language: 'python',
  entryPoint: 'total',
  declaration: 'def total(prices):\n',
  docstring: 'The sum of the prices.',
  buggy: 'def total(prices):\n    return prices\n',
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
};

async function prompt(agent: 'reflect' | 'tools', fewShot: number, nativeTools = false) {
  const style = await styleOf({ agent, feedback: 'tests', fewShot }, nativeTools);
  return style.request({ task, node: 'draft', attempts: [] }).messages;
}

const marks: Readonly<Record<Language, RegExp>> = {
  python: /^def |range\(|IndexError/m,
  js: /^const |Math\.floor|TypeError/m,
  java: /^class |List\.of|IndexOutOfBoundsException/m,
  go: /^func |\[\]int|sort\.Ints/m,
  cpp: /^#include |static_cast|queue\.front\(\)/m,
  rust: /^fn |vec!\[|rem_euclid/m,
};

test.each(languages)('the agent tools shows code in %s alone', async language => {
  const style = await styleOf({ agent: 'tools', feedback: 'tests', fewShot: MAX_EXAMPLES }, true);
  const shown = JSON.stringify(
    style
      .request({ task: { ...task, language }, node: 'draft', attempts: [] })
      .messages.slice(0, -1)
      .map(({ content, toolCalls = [] }) => content + toolCalls.map(call => JSON.parse(call.arguments).code)),
  ).replaceAll('\\n', '\n');
  const found = languages.filter(other => marks[other].test(shown));
  expect(found).toEqual([language]);
});

describe('worked examples', () => {
  test('are placed between the system prompt and the task, each with its answer', async () => {
    const none = await prompt('reflect', 0);
    const two = await prompt('reflect', 2);
    expect(none.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(two.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user']);
    expect([two[0], two.at(-1)]).toEqual(none);
    expect(two[1]?.content).toContain('The function `plants_to_water` has a bug.');
    expect(two.slice(0, 3)).toMatchSnapshot();
  });

  test('worked examples of the agent tools are answered with a call', async () => {
    expect((await prompt('tools', 1)).slice(1, 4)).toMatchSnapshot();
    expect((await prompt('tools', 1, true))[2]?.toolCalls?.[0]?.name).toBe('run_code');
  });
});

/** An example is useful only if its docstring's examples distinguish its two versions. */
const tests: Readonly<Record<'python' | 'js', readonly string[]>> = {
  python: [
    'assert plants_to_water([("fern", 3, 4), ("cactus", 1, 30)], 7) == ["fern"]',
    'assert shift_minutes(1320, 360) == 480',
    'shelf = {"tea": 2}\nassert after_delivery({"tea": 2}, {"tea": 1, "salt": 5}) == {"tea": 3, "salt": 5}\nafter_delivery(shelf, {"tea": 1})\nassert shelf == {"tea": 2}',
    'assert lap_times([61, 125, 186]) == [61, 64, 61]',
  ],
  js: [
    'console.assert(plantsToWater([{ name: "fern", watered: 3, wait: 4 }], 7)[0] === "fern")',
    'console.assert(shiftMinutes(1320, 360) === 480)',
    'const shelf = { tea: 2 }\nafterDelivery(shelf, { tea: 1, salt: 5 })\nconsole.assert(shelf.tea === 2)',
    'console.assert(JSON.stringify(lapTimes([61, 125, 186])) === "[61,64,61]")',
  ],
};

describe.each(['python', 'js'] as const)('the examples in %s', language => {
  let sandbox: Sandbox | null = null;
  beforeAll(async () => {
    const create = language === 'js' ? createJavaScriptSandbox : createPythonSandbox;
    sandbox = await create({ timeoutSeconds: 5 }).catch(error => {
      if (error instanceof HefixError && error.code === 'ISOLATED_VM_MISSING') return null;
      throw error;
    });
  });
  afterAll(async () => {
    await sandbox?.close();
  });

  test.for(workedExamples(language, MAX_EXAMPLES).map((example, index) => ({ ...example, index })))(
    '$entryPoint is wrong before and right after',
    async ({ index, entryPoint, buggy, fixed }, { skip }) => {
      if (!sandbox) return skip(isolatedVm);
      const given = { language, entryPoint, tests: `${tests[language][index]}\n` };
      expect((await sandbox.execute({ ...given, candidate: fixed })).verdict.kind).toBe('passed');
      expect((await sandbox.execute({ ...given, candidate: buggy })).verdict.kind).not.toBe('passed');
    },
  );
});

test.each(languages)('the examples in %s are its own, as many as the option allows', language => {
  const examples = workedExamples(language, 100);
  expect(examples.map(shown => shown.language)).toEqual(Array(MAX_EXAMPLES).fill(language));
  const others = languages.filter(other => other !== language).flatMap(other => workedExamples(other, 100));
  expect(others.map(({ fixed }) => fixed)).not.toContainEqual(examples[0]?.fixed);
});
