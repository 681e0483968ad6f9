import { describe, expect, test } from 'vitest';
import { openParser } from '../../lib/syntax/parser.ts';

const parser = await openParser('cpp');

const program = `#include <vector>
using namespace std;
struct Point { int x; int norm() const { return x; } };
static int twice(int n) { return 2 * n; }
vector<int> &f(vector<int> &values, int by = 1) {
  for (auto [key, value] : pairs) values.push_back(twice(value) + by);
  return values;
}
`;

describe('C++ programs', () => {
  test('have includes, types and functions as statements, with definitions and needs', () => {
    const statements = parser.statements(program);
    expect(statements.map(({ kind, defines }) => [kind, ...defines])).toEqual([
      ['import', '*'],
      ['import', '*'],
      ['class', 'Point'],
      ['function', 'twice'],
      ['function', 'f'],
    ]);
    expect(statements.at(-1)?.needs).toEqual(expect.arrayContaining(['pairs', 'twice']));
    expect(statements.at(-1)?.needs).not.toEqual(expect.arrayContaining(['values', 'value', 'by']));
  });

  test('have signatures with optional parameters', () => {
    expect(parser.statements(program).at(-1)?.signature).toEqual({
      text: 'vector<int> &f(vector<int> &values, int by = 1)',
      asynchronous: false,
      parameters: [
        { name: 'values', kind: 'positional', optional: false },
        { name: 'by', kind: 'positional', optional: true },
      ],
    });
  });

  test('are found between sentences, and kept whole if they do not parse', () => {
    const found = parser.statements(
      'Here is the fix:\n\nint f(int x) {\n  return x + ;\n}\n\nIt adds one.\n',
    );
    expect(found).toMatchObject([{ kind: 'function', defines: ['f'], parses: false }]);
  });

  test('have the same fingerprint in any layout', () => {
    expect(parser.fingerprint('int f(int x) { return x; }')).toBe(
      parser.fingerprint('int f(int x)\n{\n  // as is\n  return x;\n}\n'),
    );
  });
});
