import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { connected, structured } from '../extra/mcp/connected.ts';
import { startServer, stream } from '../model/server/test-server.ts';
import { hefixHere } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Each could be made to pass only, or most easily, by changing what belongs to its tests. */
const wrongTests = {
  'a helper of the tests': {
    'shop.py': 'def price():\n    return 3\n',
    'tests/expectations.py': 'def expected():\n    return 2\n',
    'tests/test_shop.py':
      'from shop import price\nfrom tests.expectations import expected\n\n\ndef test_price():\n    assert [price()] * 2 == [expected(), 3]\n',
    'tests/__init__.py': '',
    'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["."]\n',
  },
  'tests in files of other names': {
    'shop.py': 'PRICE = 3\n',
    'checks/prices.py':
      'import shop\n\n\ndef expected():\n    return 2\n\n\ndef test_price():\n    assert shop.PRICE == expected()\n',
    'pyproject.toml':
      '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["checks"]\npython_files = ["*.py"]\n',
  },
} as const;

test.each(Object.entries(wrongTests))('%s', async (_, files) => {
  const cwd = await projectOf(files);
  const patch = join(await temporaryFolder(), 'fix.patch');
  const { exitCode, stdout } = await hefixHere(
    ['fix', '.', '--no-rank', '--json', '--write', '--patch', patch, '--time', '20'],
    { cwd },
  );
  const { outcome, diff, suspects } = JSON.parse(stdout);
  expect({ exitCode, outcome, diff }).toEqual({ exitCode: 1, outcome: 'not-repaired', diff: '' });
  expect(suspects.filter(({ file }: { file: string }) => file !== 'shop.py')).toEqual([]);
  for (const [path, text] of Object.entries(files))
    expect(await readFile(join(cwd, path), 'utf8')).toBe(text);
  await expect(readFile(patch)).rejects.toThrow('ENOENT');
});

test('a test is no target', async () => {
  const cwd = await projectOf(wrongTests['tests in files of other names']);
  const refused = async (target: string) =>
    await hefixHere(['fix', target, '--no-rank', '--tests', 'checks'], { cwd });
  const { exitCode, stderr } = await refused('checks/prices.py::test_price');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('checks/prices.py::test_price belongs to the tests, which hefix never changes.');
  await writeFile(join(cwd, 'checks/test_more.py'), 'def test_more():\n    assert 1 == 2\n');
  expect((await refused('checks/test_more.py')).stderr).toContain('[TARGET_IS_TEST]');
});

const doubled =
  'def double(n):\n    """\n    >>> double(4)\n    8\n    >>> double(4)\n    9\n    """  # noqa: D400\n    return n * 2\n';
const cheating = `\`\`\`python
def double(n):
    """
    >>> double(4)
    8
    """  # noqa: D400
    return n * 2
\`\`\``;

test("a model's whole function does not change the examples in its docstring", async () => {
  const server = await startServer(stream(cheating));
  const cwd = await projectOf({ 'numbers_.py': doubled });
  const args = ['--backend', 'openai', '--base-url', server.baseUrl, '--model', 'm'];
  const { exitCode } = await hefixHere(['fix', 'numbers_.py', '--write', '--time', '10', ...args], { cwd });
  expect(server.requests.length).toBeGreaterThan(0);
  expect([exitCode, await readFile(join(cwd, 'numbers_.py'), 'utf8')]).toEqual([1, doubled]);
});

test('the tools of hefix mcp change no example and no test of the code that they are given', async () => {
  const helper = 'def once(n):\n    """\n    >>> once(4)\n    5\n    """\n    return n\n';
  const answer = `\`\`\`python
def once(n):
    """
    >>> once(4)
    4
    """
    return n

def test_double():
    pass

def double(n):
    return once(n) * 2
\`\`\``;
  const server = await startServer(stream(answer));
  const run = { backend: 'openai', baseUrl: server.baseUrl, model: 'm' } as const;
  const { client } = await connected(run, {});
  const tested = 'def test_double():\n    assert double(1) == 3\n';
  const code = `${helper}\n\ndef double(n):\n    return once(n) * 3\n\n\n${tested}`;
  const call = async (given: string) =>
    structured(
      await client.callTool({
        name: 'fix_function',
        arguments: { code: given, tests: 'assert double(2) == 4\n', entry_point: 'double', iterations: 0 },
      }),
    ).result as { outcome: string; code: string | null };
  expect(await call(code)).toMatchObject({ outcome: 'not-repaired', code: null });
  const repaired = await call(code.replace('    5\n', '    4\n'));
  expect(repaired.outcome).toBe('repaired');
  expect(repaired.code).toContain(tested);
});
