import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { type Language, languages } from '../../lib/core/task.ts';
import {
  answerStart,
  promptTemplates,
  protocols,
  publishedPrompt,
  stopSequences,
} from '../../lib/prompt/published.ts';
import { publishedCandidate } from '../../lib/prompt/published-answer.ts';
import { sharedData } from '../support/shared-data.ts';
import { tasks } from './published-tasks.ts';

/**
 * Their solutions hold a stop sequence (a second function, a struct) or go on after the function ends:
 * by the published rules they cannot be answered as they are written.
 */
const knownToBeCut: Partial<Record<Language, readonly string[]>> = {
  go: ['Go/72', 'Go/90', 'Go/158'],
  cpp: ['CPP/94'],
};

describe.each(languages)('%s', language => {
  test.each(protocols)(
    'the prompt of %s reads like this, by the model’s own template and plain',
    protocol => {
      expect(publishedPrompt(tasks[language], protocol, 'chat')).toMatchSnapshot();
      expect(publishedPrompt(tasks[language], protocol, 'plain')?.messages[0]?.content).toMatchSnapshot();
    },
  );

  test.each(protocols)('a correct body, answered to %s, is the whole program', protocol => {
    const task = tasks[language];
    const body = task.canonical.slice(task.declaration.length);
    const start = answerStart(task, protocol)?.trimEnd();
    expect(publishedCandidate(task, protocol, `\n${body}`)).toContain(`${start}\n${body.trimEnd()}\n`);
  });

  test('no canonical body of the real tasks is cut, but those that the protocol itself cuts', async ({
    skip,
  }) => {
    const file = sharedData(`humanevalpack/${language}.even.jsonl.gz`);
    if (file === null) return skip('the real tasks are not on this machine');
    const dataset = await loadDataset(file, { language });
    const cut = dataset.tasks.filter(task => {
      const body = task.canonical.slice(task.declaration.length);
      return !publishedCandidate(task, 'humanevalfixtests', `\n${body}`).endsWith(`\n${body.trimEnd()}\n`);
    });
    expect(dataset.tasks).toHaveLength(82);
    expect(cut.map(({ id }) => id)).toEqual(knownToBeCut[language] ?? []);
  });
});

test.each(promptTemplates)('the template %s', template => {
  expect(publishedPrompt(tasks.python, 'humanevalfixtests', template)).toMatchSnapshot();
});

test('the docstring is shown by the one protocol, the tests by the other', () => {
  const shown = (protocol: (typeof protocols)[number]) =>
    publishedPrompt(tasks.python, protocol, 'plain')?.messages[0]?.content;
  expect(shown('humanevalfixdocs')).toContain('Greatest less least');
  expect(shown('humanevalfixdocs')).not.toContain('assert');
  expect(shown('humanevalfixtests')).not.toContain('Greatest less least');
  expect(shown('humanevalfixtests')).toContain('assert span([4, 1, 9]) == 8');
});

test('without the declaration with its docstring there is no prompt that shows it', () => {
  const { published: _, ...task } = tasks.python;
  expect(publishedPrompt(task, 'humanevalfixdocs', 'chat')).toBeNull();
  expect(publishedPrompt(task, 'humanevalfixtests', 'chat')).not.toBeNull();
});

describe('an answer is cut', () => {
  const body = '\n    return max(numbers) - min(numbers)';
  const python = (completion: string) => publishedCandidate(tasks.python, 'humanevalfixtests', completion);

  test.each([
    ...stopSequences('python').map(stop => `${stop} and more`),
    '\n\nspan([1])\n',
    '\n```\nThat is it.',
  ])('in Python at %j', rest => {
    expect(python(`${body}${rest}`).trimEnd()).toBe(python(body).trimEnd());
  });

  test.each([
    ['js', '\n  return 1;\n}', '\n\nconst other = () => {\n}'],
    ['java', '\n        return 1;\n    }\n}', '\nclass Other {}'],
    ['go', '\n    return 1\n}', '\n\nfunc main() {\n}'],
    ['cpp', '\n    if (numbers.empty()) { return 0; }\n    return 1;\n}', '\nint main(){\n}'],
    ['rust', '\n    1\n}', '\nfn other() {}'],
  ] as const)('in %s where the function ends', (language, answer, rest) => {
    const candidate = (completion: string) =>
      publishedCandidate(tasks[language], 'humanevalfixtests', completion);
    expect(candidate(answer + rest)).toBe(candidate(answer));
    expect(candidate(answer)).toContain(answer);
  });

  test('a thought, ended or not, is no answer', () => {
    expect(python(`<think>\n    return 8\n</think>${body}`)).toBe(python(body));
    expect(python(`<think>${body}`)).toBe(python(''));
  });

  test('an answer that starts anew is no answer', () => {
    expect(python('```python\ndef span(numbers):\n    return 8\n```')).toMatch(/-> int:\n$/);
  });
});
