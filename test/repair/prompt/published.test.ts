import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadDataset } from '../../../dataset/load.ts';
import { type PromptTemplate, type Protocol, promptTemplates, protocols } from '../../../lib/core/choices.ts';
import { type Language, languages, type Task } from '../../../lib/core/task.ts';
import { packageFile } from '../../../lib/files/package.ts';
import {
  answerStart,
  publishedPrompt,
  stopSequences,
} from '../../../lib/repair/prompt/published/published.ts';
import { publishedCandidate } from '../../../lib/repair/prompt/published/published-answer.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import { sharedData, sharedDataMissing } from '../../support/shared-data.ts';
import { tasks } from './published-tasks.ts';

/** Only complete answers are parsed, and only in languages that can be run. */
const parser = await openParser('python');

function candidateOf(
  task: Task,
  completion: string,
  protocol: Protocol = 'humanevalfixtests',
  template: PromptTemplate = 'instruct',
): string {
  return publishedCandidate(parser, task, { protocol, template }, completion) ?? 'nothing';
}

/** Made by golden/harness/make.py, which explains how. */
const goldenSchema = z.record(
  z.string(),
  z.strictObject({
    formats: z.record(z.string(), z.string()),
    tasks: z.record(z.string(), z.string()),
  }),
);

/**
 * Their solutions contain a stop sequence (a second function, a struct) or continue after the function: the
 * published rules cannot accept them unchanged.
 */
const knownToBeCut: Partial<Record<Language, readonly string[]>> = {
  go: ['Go/72', 'Go/90', 'Go/158'],
  cpp: ['CPP/94'],
};

describe.each(languages)('%s', language => {
  test.each(protocols)('the prompt of %s, with and without the model’s template', protocol => {
    expect(publishedPrompt(tasks[language], protocol, 'chat')).toMatchSnapshot();
    expect(publishedPrompt(tasks[language], protocol, 'instruct')?.messages[0]?.content).toMatchSnapshot();
  });

  test.each(protocols)('a correct body as the answer to %s gives the whole program', protocol => {
    const task = tasks[language];
    const body = task.canonical.slice(task.declaration.length);
    const start = answerStart(task, protocol)?.trimEnd();
    expect(candidateOf(task, `\n${body}`, protocol)).toContain(`${start}\n${body.trimEnd()}\n`);
  });

  test('no canonical body is truncated, except by the protocol itself', async ({ skip }) => {
    const file = sharedData(`humanevalpack/${language}.even.jsonl.gz`);
    if (file === null) return skip(sharedDataMissing);
    const dataset = await loadDataset(file, { language });
    const cut = dataset.tasks.filter(task => {
      const body = task.canonical.slice(task.declaration.length);
      return !candidateOf(task, `\n${body}`).endsWith(`\n${body.trimEnd()}\n`);
    });
    expect(dataset.tasks).toHaveLength(82);
    expect(cut.map(({ id }) => id)).toEqual(knownToBeCut[language] ?? []);
  });
});

test.each(promptTemplates)('the template %s', template => {
  expect(publishedPrompt(tasks.python, 'humanevalfixtests', template)).toMatchSnapshot();
});

test('one protocol shows the docstring, the other the tests', () => {
  const shown = (protocol: (typeof protocols)[number]) =>
    publishedPrompt(tasks.python, protocol, 'instruct')?.messages[0]?.content;
  expect(shown('humanevalfixdocs')).toContain('Greatest less least');
  expect(shown('humanevalfixdocs')).not.toContain('assert');
  expect(shown('humanevalfixtests')).not.toContain('Greatest less least');
  expect(shown('humanevalfixtests')).toContain('assert span([4, 1, 9]) == 8');
});

test('a prompt with the docstring requires a declaration that has one', () => {
  const { published: _, ...task } = tasks.python;
  expect(publishedPrompt(task, 'humanevalfixdocs', 'chat')).toBeNull();
  expect(publishedPrompt(task, 'humanevalfixtests', 'chat')).not.toBeNull();
});

describe('an answer is truncated', () => {
  const body = '\n    return max(numbers) - min(numbers)';
  const python = (completion: string) => candidateOf(tasks.python, completion);

  test.each([
    ...stopSequences('python', 'instruct').map(stop => `${stop} and more`),
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
    const candidate = (completion: string) => candidateOf(tasks[language], completion);
    expect(candidate(answer + rest)).toBe(candidate(answer));
    expect(candidate(answer)).toContain(answer);
  });

  test('a thought, finished or not, is not an answer', () => {
    expect(python(`<think>\n    return 8\n</think>${body}`)).toBe(python(body));
    expect(python(`<think>${body}`)).toBe(python(''));
  });

  test('an answer that starts over is not accepted by a format that began it', () => {
    expect(python(fenced)).toMatch(/-> int:\n$/);
  });

  test.each(['api', 'chat'] as const)(
    'an answer to %s may be a function in a fence, with text around it',
    template => {
      const candidate = candidateOf(tasks.python, fenced, 'humanevalfixtests', template);
      expect(candidate).toMatch(/from typing import List\n\n\ndef span\(numbers\):\n {4}return 8\n$/);
    },
  );

  test('an answer to a chat API without the function is not accepted', () => {
    expect(candidateOf(tasks.python, 'I cannot tell.', 'humanevalfixtests', 'api')).toBe('nothing');
  });

  test('a begun answer may be followed by a fence and text', () => {
    const candidate = candidateOf(
      tasks.python,
      [body, '```', 'Done.', '```', ''].join('\n'),
      'humanevalfixtests',
      'chat',
    );
    expect(candidate).toBe(python(body));
  });

  test('trailing white space of an answer is removed', () => {
    const spaces = '\u00a0 \n\u2003\u0085';
    expect(python(`${body}\n${spaces}\nprint(span([1]))`)).toBe(python(body));
    expect(python(body)).toMatch(/min\(numbers\)\n$/);
  });

  test.each([
    [
      'a main method',
      '\n        return 1;\n    }\n\n    public static void main(String[] a) {',
      'return 1;\n    }\n\n    }\n',
    ],
    [
      'its last brace, with one brace put in',
      '\n        while (true) { if (true) { return 1; }',
      '{ return 1; }\n}\n',
    ],
  ])('in Java at %s', (_, completion, end) => {
    expect(candidateOf(tasks.java, completion).endsWith(end)).toBe(true);
  });
});

const fenced = 'Here:\n```python\ndef span(numbers):\n    return 8\n```\nThat is it.';

describe('an answer that is a diff', () => {
  const fixed = '    return max(numbers) - min(numbers)';
  test.each([
    ['diff', '@@ -100,8 +100,8 @@\n umbers) \n-+\n+-\n  min'],
    [
      'diff-carper',
      ' @@ -1,4 +1,4 @@\n def span(numbers: List[int]) -> int:\n-    return max(numbers) + min(numbers)\n+    return max(numbers) - min(numbers)\n',
    ],
  ] as const)('in the format %s is applied', (template, answer) => {
    expect(candidateOf(tasks.python, answer, 'humanevalfixtests', template)).toContain(fixed);
  });

  test.each(['diff', 'diff-carper'] as const)(
    'in the format %s leaves the code unchanged if it does not apply',
    template => {
      const answer = '@@ -1 +1 @@\n-nothing like it\n+%ZZ\n';
      const candidate = candidateOf(tasks.python, answer, 'humanevalfixtests', template);
      expect(candidate).toContain('max(numbers) + min(numbers)\n');
    },
  );
});

describe('the prompts match the harness’s byte for byte', async () => {
  const golden = goldenSchema.parse(
    JSON.parse(readFileSync(packageFile('test/repair/prompt/golden/harness/prompts.json'), 'utf8')),
  );
  test.for(languages)('%s', async (language, { skip }) => {
    const file = sharedData(`humanevalpack/${language}.even.jsonl.gz`);
    if (file === null) return skip(sharedDataMissing);
    const { tasks } = await loadDataset(file, { language });
    const names = [...promptTemplates.filter(name => name !== 'chat' && name !== 'api'), 'api'] as const;
    const columns = names.flatMap(name => protocols.map(protocol => ({ name, protocol })));
    const prompts = columns.map(({ name, protocol }) =>
      tasks.map(task => publishedPrompt(task, protocol, name)?.messages[0]?.content ?? ''),
    );
    const formats = columns.map(({ name, protocol }, index) => [
      `${name} ${protocol === 'humanevalfixtests' ? 'tests' : 'docs'}`,
      sha256(prompts[index] ?? []),
    ]);
    expect(Object.fromEntries(formats)).toEqual(golden[language]?.formats);
    const byTask = tasks.map(({ id }, index) => [id, sha256(prompts.map(of => of[index] ?? ''))]);
    expect(Object.fromEntries(byTask)).toEqual(golden[language]?.tasks);
  });
});

function sha256(prompts: readonly string[]): string {
  return createHash('sha256').update(prompts.join('\0')).digest('hex');
}
