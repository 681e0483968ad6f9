import { describe, expect, test } from 'vitest';
import { cppSignature, plainDeclaration } from '../../../../lib/extra/compiled/cpp/signature.ts';

describe('the signature of a declaration', () => {
  test('is that of its last function, with types as written', () => {
    const declaration =
      '#include <map>\nint helper(int a) { return a; }\nmap<char, int> f(const string &text, int n = 1){\n';
    expect(cppSignature(declaration)).toMatchObject({
      name: 'f',
      returns: 'map<char, int>',
      parameters: [
        { type: 'const string &', isChangedInPlace: false },
        { type: 'int', defaultValue: ' = 1' },
      ],
    });
  });

  test('is found before a partial body, and despite brackets in comments and strings', () => {
    const declaration = '// {\nconst char *brace = "{";\nvoid f(vector<int> &values) {\n  for (;;) {\n';
    expect(cppSignature(declaration)).toMatchObject({ name: 'f', parameters: [{ isChangedInPlace: true }] });
  });

  test('does not exist for templates and declarations without a function', () => {
    expect(cppSignature('template <class T> T f(T x) {')).toBeNull();
    expect(cppSignature('int x = 1;')).toBeNull();
  });
});

test('only a candidate’s standard types become part of a judge', () => {
  const header = (text: string) => {
    const signature = cppSignature(text, 'f');
    return signature && plainDeclaration(signature, text);
  };
  expect(header('std::vector<int> f(const std::string &text) { return {}; }')).toContain(
    'std::vector<int> f(const std::string & a0) {',
  );
  const aliases = 'using Row = vector<int>;\ntypedef map<string, Row> Rows;\n';
  expect(header(`${aliases}Rows f(const Row &row) { return {}; }`)).toContain(
    'map<string, vector<int>> f(const vector<int> & a0) {',
  );
  const bombs = [`typedef${' '.repeat(20_000)}`, 'using a='.repeat(50_000), ' typedef'.repeat(50_000)];
  for (const bomb of bombs) expect(header(`int f(Row row) { return 1; }\n${bomb}`)).toBeNull();
  expect(header('using Own = decltype(exit(0));\nOwn f(int x) { return 1; }')).toBeNull();
  expect(header('decltype(exit(0), 1) f(int x) { return 1; }')).toBeNull();
  expect(header('Own f(int x) { return {}; }')).toBeNull();
  expect(header('int f(int x = (exit(0), 1)) { return x; }')).not.toContain('exit');
});
