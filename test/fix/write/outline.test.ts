import { expect, test } from 'vitest';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { outlineOf } from '../../../lib/fix/write/outline.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const options = Array.from({ length: 20 }, (_, at) => `    option ${at}`).join('\n');
const code = `# Copyright 2020 Somebody
# All rights reserved.

import re


class Box:
    """A box.

${options}
    """

    def size(self):
        """How much fits in."""
        area = self.width * self.height
        return area

    def open(self):
        """Opens it.

${options}
        """
        return re.escape('x')
`;

test('a notice of copyright, the rest of long docstrings and other bodies are left out, and marked', async () => {
  const parser = await openParser('python');
  const file = readSource('box.py', Buffer.from(code));
  const header = code.split('\n').findIndex(line => line.includes('def open')) + 1;
  const first = options.split('\n').slice(0, 4).join('\n');
  expect(outlineOf(parser, file, new Set([header]))).toBe(`# …

import re


class Box:
    """A box.

${first}
…
    """

    def size(self):
        """How much fits in."""
        # …

    def open(self):
        """Opens it.

${first}
…
        """
        return re.escape('x')`);
  expect(outlineOf(parser, file, null)).toContain('return area');
});

test('comments at the top that say something of the code stay', async () => {
  const parser = await openParser('python');
  const text = '# Lengths are in metres.\ndef area(a, b):\n    return a * b';
  expect(outlineOf(parser, readSource('area.py', Buffer.from(text)), null)).toBe(text);
});
