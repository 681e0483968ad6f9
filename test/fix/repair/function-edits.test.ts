import { expect, test } from 'vitest';
import { constantsIn } from '../../../lib/fix/localise/constants.ts';
import { functionsIn, type ProjectFunction } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { functionEdits, MAX_EDITS } from '../../../lib/fix/repair/function-edits.ts';
import { functionTask } from '../../../lib/fix/repair/function-task.ts';
import { noFacts } from '../../../lib/repair/operators/facts.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const code = `def price(count, unit):
    """What it costs."""
    if count > 10:
        return count * unit * 0.9
    total = (count +
        unit)
    return total
`;

/** Edits of `price`; the lines are those of the file. */
async function editsOf(lines: Readonly<Record<number, number>>, signal = new AbortController().signal) {
  const parser = await openParser('python');
  const file = readSource('a.py', Buffer.from(code));
  const [found] = functionsIn(parser, file);
  if (!found) throw new Error('There is no function.');
  const task = functionTask(parser, 'python', code, found);
  const suspicions = new Map(Object.entries(lines).map(([line, suspicion]) => [Number(line), suspicion]));
  return { task, edits: functionEdits(task, suspicions, { parser, signal, failures: noFacts }) };
}

/** The only line that a program changes; 1-based, without the docstring; null if it changes more. */
function changedLine(edited: string): number | null {
  const before = code.split('\n').toSpliced(1, 1);
  const after = edited.split('\n');
  const changed = before.flatMap((line, index) => (line === after[index] ? [] : [index + 1]));
  return after.length === before.length && changed.length === 1 ? (changed[0] ?? null) : null;
}

test('edits of the most suspicious lines come first, then the others, and last those of lines that do not run', async () => {
  const { edits } = await editsOf({ 3: 0.2, 4: 0, 5: 1, 7: 1 });
  const order = (await edits.upTo(MAX_EDITS)).map(changedLine);
  edits.close();
  const early = (...lines: readonly number[]): number =>
    order.slice(0, 40).filter(line => lines.includes(line ?? 0)).length;
  // The second line of a statement counts as its first, which is the one that tests record.
  expect(early(4, 5)).toBeGreaterThan(early(2));
  expect(order.lastIndexOf(2)).toBeLessThan(order.indexOf(3));
});

test('more edits are added to those already enumerated, which are not enumerated again', async () => {
  const { edits } = await editsOf({});
  const first = await edits.upTo(20);
  const more = await edits.upTo(60);
  expect([first.length, more.length]).toEqual([20, 60]);
  expect(more.slice(0, 20)).toEqual(first);
  const all = await edits.upTo(MAX_EDITS);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(60);
  edits.close();
  expect(await edits.upTo(MAX_EDITS)).toHaveLength(all.length);
});

test('an abort rejects', async () => {
  const { edits } = await editsOf({}, AbortSignal.abort(new Error('over')));
  await expect(edits.upTo(MAX_EDITS)).rejects.toThrow('over');
  edits.close();
});

test('numbers of the docstring and of comments above a function or a constant come first', async () => {
  const parser = await openParser('python');
  const text = `# Up to 450 items.
def many(items):
    """More than 120 are too many."""
    return len(items) > 40


# At least 77.
LIMIT = 60
`;
  const file = readSource('a.py', Buffer.from(text));
  const { signal } = new AbortController();
  const first = async (found: ProjectFunction, count: number): Promise<string> => {
    const edits = functionEdits(functionTask(parser, 'python', text, found), new Map(), {
      ...{ parser, signal, failures: noFacts },
    });
    const texts = await edits.upTo(count);
    edits.close();
    return texts.slice(0, count).join('');
  };
  const [many] = functionsIn(parser, file);
  const [limit] = constantsIn(parser, file);
  if (!many || !limit) return expect.unreachable();
  const edits = await first(many, 12);
  for (const said of ['> 120', '> 450', '>= 120']) expect(edits).toContain(said);
  expect(await first(limit, 1)).toBe('LIMIT = 77\n');
});
