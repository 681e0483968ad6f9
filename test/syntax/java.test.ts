import { describe, expect, test } from 'vitest';
import type { Task } from '../../lib/core/task.ts';
import { extractCandidate } from '../../lib/repair/prompt/extract.ts';
import { openParser } from '../../lib/syntax/parser.ts';

const parser = await openParser('java');

const declaration = `import java.util.*;

class Solution {
    static int twice(int n) { return 2 * n; }

    public int total(List<Integer> values) {
`;
const task: Task = {
  id: 'x/0',
  language: 'java',
  entryPoint: 'total',
  declaration,
  docstring: '',
  buggy: `${declaration}        int sum = 1;
        for (int value : values) sum += twice(value);
        return sum;
    }
}
`,
  canonical: '',
  tests: '',
  exampleTests: '',
  bugType: null,
};
const body = 'int sum = 0;\n        for (int value : values) sum += twice(value);\n        return sum;';

function candidateOf(completion: string): string | null {
  const found = extractCandidate(parser, task, completion);
  return found.kind === 'nothing' ? null : found.candidate;
}

describe('Java programs', () => {
  test('have imports and classes as statements; a class defines its methods', () => {
    const statements = parser.statements(task.buggy);
    expect(statements.map(({ kind, defines }) => [kind, ...defines])).toEqual([
      ['import', '*'],
      ['class', 'Solution', 'twice', 'total'],
    ]);
    expect(statements[1]?.inner.map(({ signature }) => signature?.text)).toEqual([
      'static int twice(int n)',
      'public int total(List<Integer> values)',
    ]);
  });

  test('are equal if they differ in layout and comments only', () => {
    const other = task.buggy.replace('int sum = 1;', 'int sum   = 1; // one\n /* two */');
    expect(parser.fingerprint(other)).toBe(parser.fingerprint(task.buggy));
    expect(parser.fingerprint(other.replace('1', '0'))).not.toBe(parser.fingerprint(task.buggy));
  });
});

describe('answers in Java', () => {
  test('may be the whole class, with imports of its own', () => {
    const program = `import java.util.*;\nimport java.util.stream.*;\n\nclass Solution {\n    public int total(List<Integer> values) {\n        ${body}\n    }\n}\n`;
    const candidate = candidateOf(`Here it is:\n\`\`\`java\n${program}\`\`\`\nDone.`) ?? '';
    expect(candidate).toContain('import java.util.stream.*;');
    expect(candidate).toContain('int sum = 0;');
    expect(candidate.match(/class Solution/g)).toHaveLength(1);
    expect(parser.parses(candidate)).toBe(true);
  });

  test('may be the method alone, which gets into the task’s class with what it needs', () => {
    const method = `public int total(List<Integer> values) {\n    ${body.replaceAll('twice', 'thrice')}\n}`;
    const helper = 'static int thrice(int n) {\n    return 3 * n;\n}';
    const candidate = candidateOf(`\`\`\`java\n${helper}\n\n${method}\n\`\`\``) ?? '';
    expect(candidate).toContain('import java.util.*;');
    expect(candidate).toContain('static int twice');
    expect(candidate).toContain('static int thrice');
    expect(candidate).toContain('int sum = 0;');
    expect(parser.parses(candidate)).toBe(true);
    expect(parser.statements(candidate).map(({ kind }) => kind)).toEqual(['import', 'class']);
  });

  test('may be the body alone, closed or not', () => {
    for (const end of ['', '\n    }', '\n    }\n}']) {
      const candidate = candidateOf(`\`\`\`java\n        ${body}${end}\n\`\`\``) ?? '';
      expect(candidate).toContain('int sum = 0;');
      expect(candidate).not.toContain('int sum = 1;');
      expect(parser.parses(candidate)).toBe(true);
    }
  });
});
