import { expect, test } from 'vitest';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { checkSources } from '../../../lib/fix/project/check-sources.ts';
import type { OpenProject } from '../../../lib/fix/project/open-project.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

/** Whether a Python file to repair is refused. */
async function check(text: string): Promise<void> {
  const file = readSource('shop.py', Buffer.from(text));
  const project = {
    ...{ targetFile: 'shop.py', language: 'python', root: '/', source: () => file },
    parser: await openParser('python'),
    check: async () => {},
  } as unknown as OpenProject;
  await checkSources(project, new AbortController().signal);
}

test('a syntax error in the file to repair is refused with its line', async () => {
  await expect(check('x = 1\ndef price(:\n    pass\n')).rejects.toMatchObject({
    code: 'SOURCE_SYNTAX',
    message: expect.stringContaining('line 2'),
  });
});

test('syntax of another version of Python is left to the interpreter of the project', async () => {
  // As no Python 3 reads it; a newer one may know more than the one of this system.
  await expect(check('def price():\n    print "x"\n')).resolves.toBeUndefined();
});
