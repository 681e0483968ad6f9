import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadDataset } from '../../../dataset/load.ts';
import type { Task } from '../../../lib/core/task.ts';
import { packageFile } from '../../../lib/files/package.ts';
import { extractCandidate } from '../../../lib/repair/prompt/extract.ts';
import { openParser } from '../../../lib/syntax/parser.ts';
import { lostInWrappings } from './wrappings.ts';

/**
 * The folder `golden/extract` contains completions (`TASK--WHAT.md`), each with its expected result
 * (`.expected`): what was found, then the candidate. `tasks.json` contains the tasks.
 */
const languages = ['python', 'js'] as const;
const golden = packageFile('test/repair/prompt/golden/extract');

const tasksSchema = z.record(
  z.string(),
  z.strictObject({ entryPoint: z.string(), declaration: z.string(), body: z.string() }),
);

describe.each(languages)('%s', async language => {
  const parser = await openParser(language);
  const folder = join(golden, language);
  const tasks = tasksSchema.parse(JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8')));
  const cases = readdirSync(folder).filter(name => name.endsWith('.md'));

  test.each(cases)('%s', async name => {
    const [taskName = ''] = name.split('--');
    const given = tasks[taskName];
    if (!given) throw new Error(`${name} names no task of tasks.json`);
    const { entryPoint, declaration, body } = given;
    const completion = readFileSync(join(folder, name), 'utf8');
    const result = extractCandidate(
      parser,
      { ...emptyTask, language, entryPoint, declaration, buggy: declaration + body },
      completion,
    );
    const candidate = result.kind === 'nothing' ? '' : result.candidate;
    await expect(`found: ${result.kind}\n${candidate}`).toMatchFileSnapshot(
      join(folder, `${basename(name, '.md')}.expected`),
    );
  });
});

describe.each(languages)('%s: arbitrary answers', async language => {
  const parser = await openParser(language);
  const folder = join(golden, language);
  const texts = readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .map(name => readFileSync(join(folder, name), 'utf8'));
  const declaration = language === 'python' ? 'def clamp(a):\n' : 'const clamp = (a) => {\n';
  const buggy = language === 'python' ? `${declaration}    a\n` : `${declaration}  a\n}\n`;
  const task = { ...emptyTask, language, entryPoint: 'clamp', declaration, buggy };
  /** Pieces of answers, cut anywhere, one after another. */
  const pieces = fc
    .record({ text: fc.constantFrom(...texts), from: fc.nat(200), length: fc.nat(400) })
    .map(({ text, from, length }) => text.slice(from, from + length));
  const marks = fc.constantFrom('```', '~~~\n', '<think>', '\n', '    ', '"""', '(', '`', '/*', "'");
  const completions = fc.oneof(fc.array(fc.oneof(pieces, marks)), fc.array(fc.string({ unit: 'grapheme' })));

  test('nothing throws, and extraction is idempotent', () => {
    fc.assert(
      fc.property(completions, parts => {
        const result = extractCandidate(parser, task, parts.join(''));
        if (result.kind !== 'function' || !parser.parses(result.candidate)) return;
        const { kind, candidate } = result;
        // A fence inside the code, as in a template literal, is taken for the block's.
        if (/^\s*(?:```|~~~)/m.test(candidate)) return;
        expect(extractCandidate(parser, task, candidate)).toMatchObject({ kind, candidate });
      }),
      { numRuns: 200 },
    );
  });
});

describe.each([
  ['python', 'mini'],
  ['js', 'mini-js'],
] as const)('tasks of %s', (language, dataset) => {
  test('survive every wrapping unchanged', async () => {
    const { tasks } = await loadDataset(dataset);
    expect(await lostInWrappings(language, tasks.slice(0, 12))).toEqual([]);
  });
});

const emptyTask: Task = {
  id: 'golden',
  language: 'python',
  entryPoint: '',
  declaration: '',
  docstring: '',
  buggy: '',
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
};
