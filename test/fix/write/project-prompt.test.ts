import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { projectMessages } from '../../../lib/fix/write/project-prompt.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const CHARACTERS_PER_TOKEN = 3.5;
const long = (name: string, count: number) =>
  `def ${name}(x):\n${Array.from({ length: count }, (_, at) => `    x = x + ${at}`).join('\n')}\n    return x\n`;

/** The prompt about some functions, each in a file of its own, and another file. */
async function prompt(
  suspicions: readonly number[],
  lines: number,
  budget: number,
  other = '',
): Promise<string> {
  const parser = await openParser('python');
  const files = new Map(
    suspicions.map((_, at) => [`f${at}.py`, readSource(`f${at}.py`, Buffer.from(long(`f${at}`, lines)))]),
  );
  const source = (path: string) => files.get(path) ?? readSource(path, Buffer.from(other));
  const suspects = [...files.values()].flatMap((file, at) =>
    functionsIn(parser, file).map(found => ({
      ...{ function: found, suspicion: suspicions[at] ?? 0, lines: new Map() },
    })),
  );
  const project = {
    parser,
    language: 'python',
    sources: [...files.keys(), 'other.py'],
    plan: { tests: [] },
    source,
    has: () => false,
  };
  const messages = projectMessages(
    { project, suspects, budget, source, mayCall: false } as never,
    { tests: [{ id: 't', outcome: 'failed' }], attempts: [] } as never,
  );
  return messages.map(({ content }) => content).join('\n');
}

test('a function that is much less suspicious is shown if there is room for it, else named', async () => {
  const suspicions = [1, 0.9, 0.2];
  const roomy = await prompt(suspicions, 10, 8000);
  for (const name of ['f0', 'f1', 'f2']) expect(roomy).toContain(`def ${name}(x):`);
  const narrow = await prompt(suspicions, 100, 1500);
  for (const name of ['f0', 'f1']) expect(narrow).toContain(`def ${name}(x):`);
  expect(narrow).not.toContain('def f2(x):');
  expect(narrow).toContain('Less suspicious, and not shown: f2 in f2.py');
  expect(narrow.length).toBeLessThan(1500 * CHARACTERS_PER_TOKEN);
});

test('where the most suspicious function is called is shown', async () => {
  const other = `def total(items):\n    return sum(f0(item) for item in items)\n`;
  expect(await prompt([1], 10, 8000, other)).toMatch(
    /f0 is called here:\n```python\n[^`]*sum\(f0\(item\) for item in items\)/,
  );
  expect(await prompt([1], 10, 8000)).not.toContain('is called here');
});
