import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { type FixInput, fix } from '../../lib/run/library/fix.ts';
import { startServer, stream } from '../model/server/test-server.ts';
import { eventually } from '../support/eventually.ts';
import { needs, venv } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What projects bring along: programs, a network, an environment, packages, a model on a server. */

async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

async function fixed(cwd: string, target: string, input: FixInput = {}) {
  return (await fix(target, { cwd, noRank: true, questionTime: 0, time: 100, ...input })).report;
}

const double = 'def double(x):\n    return x + 2\n';
const doubleTest = 'from numbers_ import double\n\n\ndef test_double():\n    assert double(4) == 8\n';

test('tests start programs: the interpreter itself and a shell', async () => {
  const cwd = await projectOf({
    'tool.py': `import sys\n\n\n${double}\n\nif __name__ == "__main__":\n    print(double(int(sys.argv[1])))\n`,
    'test_tool.py': `import os
import subprocess
import sys


def test_program():
    done = subprocess.run([sys.executable, "tool.py", "4"], capture_output=True, text=True, check=True)
    assert done.stdout == "8\\n"


def test_shell():
    assert subprocess.check_output("echo $((2 + 3))", shell=True, text=True) == "5\\n"
    assert os.path.exists("tool.py")
`,
  });
  const report = await fixed(cwd, 'tool.py::double', { tests: 'test_tool.py' });
  expect(report).toMatchObject({ outcome: 'repaired', before: { passed: 1, failed: 1 } });
});

test.each(['bubblewrap', 'namespaces'] as const)(
  '%s: tests start small programs and those of the project, and share semaphores and memory',
  async isolation => {
    const cwd = await projectOf({
      'numbers_.py': double,
      'greet.sh': '#!/usr/bin/env sh\necho "hello $1" | sed s/l/L/g\n',
      'test_numbers.py': `import multiprocessing
import os
import subprocess
from multiprocessing.shared_memory import SharedMemory
from numbers_ import double


def test_double():
    assert double(4) == 8


def test_program():
    os.chmod("greet.sh", 0o755)
    assert subprocess.check_output(["./greet.sh", "you"], text=True) == "heLLo you\\n"


def test_pool():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(abs, [-1, 2]) == [1, 2]


def test_shared_memory():
    memory = SharedMemory(create=True, size=8)
    memory.buf[0] = 3
    other = SharedMemory(memory.name)
    assert other.buf[0] == 3
    other.close()
    memory.close()
    memory.unlink()
`,
    });
    const report = await fixed(cwd, '.', { isolation });
    expect(report).toMatchObject({ outcome: 'repaired', isolation, before: { passed: 3, failed: 1 } });
  },
);

test('JavaScript tests start Node', async () => {
  const cwd = await projectOf({
    'package.json': '{"type": "module"}',
    'double.js':
      'export function double(x) {\n  return x + 2;\n}\n\nif (process.argv[2]) console.log(double(Number(process.argv[2])));\n',
    'double.test.js': `import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
test('as a program', () => assert.equal(execFileSync(process.execPath, ['double.js', '4'], { encoding: 'utf8' }), '8\\n'));
`,
  });
  expect(await fixed(cwd, 'double.js::double')).toMatchObject({ outcome: 'repaired' });
});

test('the network is closed, and --allow-network opens it', async () => {
  const server = createServer((_, response) => response.end('8'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const cwd = await projectOf({
    'numbers_.py': double,
    'test_numbers.py': `from urllib.request import ProxyHandler, build_opener

from numbers_ import double


def test_double():
    assert double(4) == int(build_opener(ProxyHandler({})).open("${address}").read())
`,
  });
  const closed = await fixed(cwd, '.');
  expect(closed).toMatchObject({ outcome: 'nothing-to-repair', tried: 0 });
  expect(closed.notes[0]).toContain('--allow-network');
  for (const isolation of ['bubblewrap', 'namespaces', 'ulimit'] as const)
    expect(await fixed(cwd, '.', { allowNetwork: true, isolation })).toMatchObject({
      outcome: 'repaired',
      isolation,
    });
});

test.each(['bubblewrap', 'namespaces'] as const)(
  'at the level %s, tests listen on a network of their own, from which the machine’s cannot be reached',
  async isolation => {
    const server = createServer((_, response) => response.end('8'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const cwd = await projectOf({
      'package.json': '{"type": "module"}',
      'double.js': 'export function double(x) {\n  return x + 2;\n}\n',
      'double.test.js': `import assert from 'node:assert';
import { createServer, request } from 'node:http';
import test from 'node:test';
import { double } from './double.js';

const asked = port => new Promise((resolve, reject) => {
  request({ host: 'localhost', port }, answer => answer.on('data', data => resolve(String(data)))).on('error', reject).end();
});
test('of its own server', async () => {
  const server = createServer((_, response) => response.end(String(double(4))));
  await new Promise(resolve => server.listen(0, 'localhost', resolve));
  assert.equal(await asked(server.address().port).finally(() => server.close()), '8');
});
test('of another server', async () => await assert.rejects(asked(${port}), { code: 'ECONNREFUSED' }));
`,
    });
    expect(await fixed(cwd, 'double.js', { isolation })).toMatchObject({
      outcome: 'repaired',
      isolation,
      before: { passed: 1, failed: 1 },
    });
  },
);

test('every isolation level repairs', async () => {
  const cwd = await projectOf({ 'numbers_.py': double, 'test_numbers.py': doubleTest });
  for (const isolation of ['bubblewrap', 'namespaces', 'ulimit'] as const)
    expect(await fixed(cwd, '.', { isolation })).toMatchObject({ outcome: 'repaired', isolation });
  expect(await readFile(join(cwd, 'numbers_.py'), 'utf8')).toBe(double);
});

describe('virtual environments', async () => {
  const hasVenv = (await execa('python3', ['-c', 'import venv'], { reject: false })).exitCode === 0;

  /** One that has a module of its own, and no pytest. */
  async function environmentAt(folder: string, name: string): Promise<void> {
    await execa('python3', ['-m', 'venv', '--without-pip', join(folder, name)]);
    const { stdout } = await execa(join(folder, name, 'bin/python'), [
      '-c',
      'import sysconfig; print(sysconfig.get_path("purelib"))',
    ]);
    await writeFile(join(stdout, 'only_here.py'), 'FOUR = 4\n');
  }
  const files = {
    'numbers_.py': `from only_here import FOUR\n\n\n${double}`,
    'test_numbers.py':
      'import unittest\n\nfrom only_here import FOUR\nfrom numbers_ import double\n\n\nclass Test(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(double(FOUR), 8)\n',
  };

  test(
    '.venv in the project, an active one, and --python',
    needs({ what: venv, isThere: hasVenv }),
    async () => {
      const own = await projectOf(files);
      await environmentAt(own, '.venv');
      expect(await fixed(own, '.')).toMatchObject({ outcome: 'repaired', runner: 'unittest' });

      const other = await projectOf(files);
      const elsewhere = await temporaryFolder();
      await environmentAt(elsewhere, 'tools');
      const python = join(elsewhere, 'tools/bin/python');
      expect(await fixed(other, '.', { python })).toMatchObject({ outcome: 'repaired', runner: 'unittest' });
      vi.stubEnv('VIRTUAL_ENV', join(elsewhere, 'tools'));
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(await fixed(other, '.')).toMatchObject({ outcome: 'repaired', runner: 'unittest' });
    },
  );
});

test('packages in node_modules are found, also by another package, and cannot be changed', async () => {
  const cwd = await projectOf({
    'package.json': '{"type": "module"}',
    'node_modules/rates/package.json': '{"name": "rates", "main": "index.js"}',
    'node_modules/rates/index.js': "module.exports = { rate: require('@numbers/two') };\n",
    'node_modules/@numbers/two/package.json': '{"name": "@numbers/two", "main": "index.js"}',
    'node_modules/@numbers/two/index.js': 'module.exports = 2;\n',
    'double.js': "import { rate } from 'rates';\n\nexport function double(x) {\n  return x + rate;\n}\n",
    'double.test.js': `import assert from 'node:assert';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { double } from './double.js';
test('double', () => assert.equal(double(4), 8));
test('cannot write', () => assert.throws(() => writeFileSync('node_modules/rates/index.js', '')));
`,
  });
  expect(await fixed(cwd, '.')).toMatchObject({ outcome: 'repaired', before: { passed: 1, failed: 1 } });
  expect(await readFile(join(cwd, 'node_modules/rates/index.js'), 'utf8')).toContain('@numbers/two');
});

test('packages of a workspace are those of the copy, or of the workspace around the project', async () => {
  const cwd = await projectOf({
    'package.json': '{"private": true, "type": "module", "workspaces": ["packages/*"]}',
    'packages/text/package.json': '{"name": "@numbers/text", "type": "module", "exports": "./index.js"}',
    'packages/text/index.js': "export function words(text) {\n  return text.split('-');\n}\n",
    'packages/core/package.json': '{"name": "@numbers/core", "type": "module", "exports": "./index.js"}',
    'packages/core/index.js':
      "import { words } from '@numbers/text';\n\nexport function count(text) {\n  return words(text).length;\n}\n",
    'packages/core/index.test.js':
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { count } from './index.js';\n\ntest('words', () => assert.equal(count('a bb c'), 3));\ntest('one', () => assert.equal(count('a-b'), 1));\n",
  });
  await mkdir(join(cwd, 'node_modules/@numbers'), { recursive: true });
  for (const name of ['text', 'core'])
    await symlink(`../../packages/${name}`, join(cwd, 'node_modules/@numbers', name));
  const whole = await fixed(cwd, '.');
  expect(whole).toMatchObject({ outcome: 'repaired', repairs: [{ file: 'packages/text/index.js' }] });
  // The other package is outside of the project, and read as it is.
  expect(await fixed(cwd, 'packages/core', { time: 5 })).toMatchObject({ before: { passed: 0, failed: 2 } });
});

test('packages of a workspace find the packages in a node_modules of their own', async () => {
  const cwd = await projectOf({
    'package.json': '{"private": true, "type": "module", "workspaces": ["packages/*"]}',
    'node_modules/rates/package.json': '{"name": "rates", "main": "index.js"}',
    'node_modules/rates/index.js': 'module.exports = 1;\n',
    'packages/core/package.json': '{"name": "core", "type": "module"}',
    'packages/core/node_modules/rates/package.json': '{"name": "rates", "main": "index.js"}',
    'packages/core/node_modules/rates/index.js': 'module.exports = 2;\n',
    'packages/core/index.js':
      "import rate from 'rates';\n\nexport function double(x) {\n  return x + rate;\n}\n",
    'packages/core/index.test.js':
      "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { double } from './index.js';\n\ntest('double', () => assert.equal(double(4), 8));\ntest('zero', () => assert.equal(double(2), 4));\n",
  });
  for (const target of ['.', 'packages/core', 'packages/core/index.js'])
    expect(await fixed(cwd, target)).toMatchObject({
      outcome: 'repaired',
      before: { passed: 1, failed: 1 },
      repairs: [{ function: 'double' }],
    });
});

test('a package folder is repaired by the tests of its project, from outside and from inside', async () => {
  const files = {
    'shop/__init__.py': '',
    'shop/prices.py': `from shop.rates import FACTOR\n\n\n${double}`,
    'shop/rates.py': 'FACTOR = 2\n',
    'tests/test_prices.py': doubleTest.replace('numbers_', 'shop.prices'),
  };
  const cwd = await projectOf(files);
  expect(await fixed(cwd, 'shop')).toMatchObject({
    outcome: 'repaired',
    project: cwd,
    repairs: [{ file: 'shop/prices.py' }],
  });
  await mkdir(join(cwd, 'shop/tests'));
  await writeFile(join(cwd, 'shop/tests/test_inside.py'), files['tests/test_prices.py']);
  const inside = join(cwd, 'shop');
  const { report, diff } = await fix('.', { cwd: inside, noRank: true, questionTime: 0, time: 100 });
  expect(report).toMatchObject({ outcome: 'repaired', project: cwd, before: { failed: 1 } });
  await execa('git', ['apply', '-'], { cwd: inside, input: diff });
  expect(await readFile(join(inside, 'prices.py'), 'utf8')).not.toBe(files['shop/prices.py']);
});

test('a link that leads out of the project is not followed', async () => {
  const outside = await projectOf({ 'secret.txt': 'secret' });
  const cwd = await projectOf({
    'numbers_.py': double,
    'test_numbers.py': `${doubleTest}\n\ndef test_no_secret():\n    import os\n    assert not os.path.exists("link/secret.txt")\n    assert not os.path.exists("${outside}/secret.txt")\n`,
  });
  await symlink(outside, join(cwd, 'link'));
  expect(await fixed(cwd, '.')).toMatchObject({ outcome: 'repaired', before: { passed: 1, failed: 1 } });
});

test('a model behind a server gets the function, the failing test and its values, and its answer is tried', async () => {
  const cwd = await projectOf({
    'numbers_.py': `def start():\n    """Where to begin."""\n    return 1\n\n\ndef series(n):\n    """The first n numbers of the series."""\n    return [start()] * n\n`,
    'test_numbers.py':
      'from numbers_ import series\n\n\ndef test_series():\n    assert series(5) == [1, 1, 2, 3, 5]\n',
  });
  const answer =
    'def series(n):\n    """The first n numbers of the series."""\n    a, b, found = start(), start(), []\n    for _ in range(n):\n        found.append(a)\n        a, b = b, a + b\n    return found\n';
  const server = await startServer(stream('```python\n', answer, '```'));
  const model = { backend: 'openai', model: 'coder', baseUrl: server.baseUrl } as const;
  const { report, diff } = await fix('numbers_.py::series', {
    cwd,
    time: 100,
    tests: 'test_numbers.py',
    ...model,
  });
  expect(report).toMatchObject({ outcome: 'repaired', repairs: [{ function: 'series', origin: 'sample' }] });
  expect(diff.toString()).toContain('+        a, b = b, a + b');
  const prompt = JSON.stringify(server.requests[0]?.body.messages);
  for (const part of [
    'The first n numbers',
    'Where to begin',
    '[1, 1, 2, 3, 5]',
    '[1, 1, 1, 1, 1]',
    'test_series',
  ])
    expect(prompt).toContain(part);
});

test('--watch repairs again when a file changes, and ends with Ctrl-C', async () => {
  const cwd = await projectOf({ 'numbers_.py': double, 'test_numbers.py': doubleTest });
  const args = ['fix', '.', '--watch', '--no-rank'];
  const running = execa('node', [packageFile('dist/bin/hefix.js'), ...args], { cwd, reject: false });
  let said = '';
  running.stderr?.on('data', piece => {
    said += piece;
  });
  await eventually(() => expect(said).toMatch(/Repaired in[\s\S]*Waiting for changes/));
  said = '';
  await writeFile(join(cwd, 'numbers_.py'), double.replace('+', '*'));
  await eventually(() => expect(said).toMatch(/Nothing to repair[\s\S]*Waiting for changes/));
  running.kill('SIGINT');
  expect((await running).exitCode).toBe(0);
  expect(existsSync(join(cwd, '__pycache__'))).toBe(false);
});

test('plain assertions of JavaScript are proven by two processes, others isolated', async () => {
  const code = 'export function double(x) {\n  return x + 2;\n}\n';
  const script =
    "import assert from 'node:assert/strict';\nimport { double } from './double.js';\n\nassert.equal(double(4), 8);\nassert.equal(double(0), 0);\n";
  const cwd = await projectOf({
    'package.json': '{"type": "module"}',
    'double.js': code,
    'check.js': script,
    'other.js': `import os from 'node:os';\n${script}assert.ok(os.EOL);\n`,
  });
  expect(await fixed(cwd, 'double.js', { tests: 'check.js' })).toMatchObject({
    outcome: 'repaired',
    judge: 'proven',
  });
  expect(await fixed(cwd, 'double.js', { tests: 'other.js' })).toMatchObject({
    outcome: 'repaired',
    judge: 'isolated',
  });
});
