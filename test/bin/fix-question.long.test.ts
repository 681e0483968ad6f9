import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Several repairs pass these tests: `> 0`, `>= 0`, `> -1`, and others. */
const python = `def positives(values):
    return len([value for value in values if value < 0])
`;
const javascript = `export function positives(values) {
  return values.filter(value => value < 0).length;
}
`;
const projects: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly added: RegExp }>
> = {
  pytest: {
    files: {
      'count.py': python,
      'test_count.py':
        'import count\n\n\ndef test_positives():\n    assert count.positives([3, 1, -2]) == 2\n',
    },
    added: /^\+def test_positives_\w+\(\):\n\+ {4}assert count\.positives\(\[.*\]\) == \d+$/m,
  },
  unittest: {
    files: {
      'count.py': python,
      'test_count.py':
        'import unittest\n\nfrom count import positives\n\n\nclass CountTest(unittest.TestCase):\n    def test_positives(self):\n        self.assertEqual(positives([3, 1, -2]), 2)\n\n\nif __name__ == "__main__":\n    unittest.main()\n',
    },
    added: /^\+ {4}def test_positives_\w+\(self\):\n\+ {8}self\.assertEqual\(positives\(\[.*\]\), \d+\)$/m,
  },
  doctest: {
    files: {
      'count.py':
        'def positives(values):\n    """How many are above 0.\n\n    >>> positives([3, 1, -2])\n    2\n    """\n    return len([value for value in values if value < 0])\n',
    },
    added: /^\+ {4}>>> positives\(\[.*\]\)\n\+ {4}\d+$/m,
  },
  'node:test': {
    files: {
      'package.json': '{ "type": "module" }\n',
      'count.js': javascript,
      'count.test.js':
        "import assert from 'node:assert/strict';\nimport { it } from 'node:test';\nimport { positives } from './count.js';\n\nit('counts', () => {\n  assert.equal(positives([3, 1, -2]), 2);\n});\n",
    },
    added:
      /^\+it\('positives\(\[.*\]\) returns \d+', \(\) => \{\n\+ {2}assert\.strictEqual\(positives\(\[.*\]\), \d+\);\n\+\}\);$/m,
  },
};

async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const patient = ['--no-rank', '--time', '300', '--question-time', '200'];

test.each(Object.entries(projects))(
  '%s: shows an input on which repairs differ, and adds the test of the answer that is meant',
  async (_, { files, added }) => {
    const cwd = await projectOf(files);
    const [target = ''] = Object.keys(files).filter(
      path => path.startsWith('count.') && !path.includes('test'),
    );
    const asked = await hefixHere(['fix', target, ...patient], { cwd });
    expect(asked.exitCode).toBe(0);
    expect(asked.stderr).toMatch(
      /Your tests allow \d+ (?:different repairs of positives|repairs of positives, which behave in \d+ ways)\. For positives\(\[.*\]\):/,
    );
    expect(asked.stderr).toMatch(/^ {2}1 {2}this one returns \d+/m);
    expect(asked.stderr).toMatch(/^ {2}2 {2}another returns \d+/m);
    expect(asked.stderr).toContain('(--add-test 1 adds it):');
    expect(asked.stdout).not.toMatch(added);

    const answered = await hefixHere(['fix', target, ...patient, '--add-test', '2', '--write'], { cwd });
    expect(answered.stderr).toContain('Added a test: ');
    expect(answered.stdout).toMatch(added);
    // The tests pass with the repair of that answer, and no other one is left that they allow.
    const again = await hefixHere(['fix', target, '--json', '--quiet'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'nothing-to-repair', question: null });
  },
);

test('--json has the question as data, with a diff and a test of each answer; nothing is written', async () => {
  const files = projects.pytest?.files ?? {};
  const cwd = await projectOf(files);
  const { stdout, stderr } = await hefixHere(['fix', 'count.py', ...patient, '--json'], { cwd });
  const { question, diff } = JSON.parse(stdout);
  expect(question).toMatchObject({ file: 'count.py', function: 'positives', chosen: null });
  expect(question.answers[0].diff).toBe(diff);
  for (const { does, test: written, diff: change } of question.answers) {
    expect(does).toMatch(/^(?:returns|raises) /);
    const own = await projectOf(files);
    await execa('git', ['apply', '-'], { cwd: own, input: change });
    const path = join(own, written.file);
    await writeFile(path, `${await readFile(path, 'utf8')}\n\n${written.code}`);
    const checked = await hefixHere(['fix', 'count.py', '--json', '--quiet'], { cwd: own });
    expect(JSON.parse(checked.stdout)).toMatchObject({ outcome: 'nothing-to-repair', before: { passed: 2 } });
  }
  expect(stderr).toContain('Your tests allow');
  expect(await readFile(join(cwd, 'test_count.py'), 'utf8')).toBe(files['test_count.py']);
});

test('nothing is asked and no test is added if there is no other repair', async () => {
  const cwd = await projectOf({
    'one.py': 'def double(number):\n    return number * 3\n',
    'test_one.py':
      'from one import double\n\n\ndef test_double():\n    for number in range(-99, 99):\n        assert double(number) == 2 * number\n    assert double(0.25) == 0.5\n    assert double("ab") == "abab"\n',
  });
  const { exitCode, stderr } = await hefixHere(['fix', 'one.py', ...patient, '--add-test', '1'], { cwd });
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('Your tests allow');
  expect(stderr).toContain('No test was added');
});

test('--question-time 0 asks nothing', async () => {
  const cwd = await projectOf(projects.pytest?.files ?? {});
  const words = ['fix', 'count.py', '--no-rank', '--time', '300', '--question-time', '0', '--json'];
  const { stdout, stderr } = await hefixHere(words, { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'repaired', question: null, alternatives: [] });
  expect(stderr).not.toContain('Your tests allow');
});

test('a search for other repairs that was cut short is said to be', async () => {
  const cwd = await projectOf(projects.pytest?.files ?? {});
  const words = ['fix', 'count.py', '--no-rank', '--time', '300', '--question-time', '0.001', '--json'];
  const { stdout } = await hefixHere(words, { cwd });
  const { outcome, question, notes } = JSON.parse(stdout);
  expect({ outcome, question }).toEqual({ outcome: 'repaired', question: null });
  expect(notes.join()).toContain('was cut short: with more time (--question-time)');
});

test('options that exclude each other are refused', async () => {
  const cwd = await projectOf({ 'count.py': python });
  for (const given of [
    ['--add-test', '0'],
    ['--add-test', '1', '--question-time', '0'],
    ['--add-test', '1', '--watch'],
    ['--question-time', '-1'],
  ])
    expect((await hefixHere(['fix', 'count.py', ...given], { cwd })).stderr).toContain('OPTION_INVALID');
});
