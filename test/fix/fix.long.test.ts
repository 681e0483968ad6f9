import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { fix } from '../../lib/fix/fix.ts';
import type { FixOptions, FixParts, ProjectSnapshot } from '../../lib/fix/options.ts';
import type { FixEvent } from '../../lib/fix/report.ts';
import { openModel } from '../model/server/open-model.ts';
import { startServer, stream } from '../model/server/test-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const optionsFor = (cwd: string): FixOptions => ({
  ...{ tests: [], cwd, env: process.env, time: 100, timeout: 5, memory: 2048 },
  ...{ requireIsolation: false, allowNetwork: false, suspectsOnly: false, beams: 0 },
  ...{ iterations: 2, questionTime: 0, temperature: null, maxNewTokens: 200, seed: 0 },
});

/** What a repair is given, and the events that it reports. */
function watched(changed: Partial<FixParts> = {}) {
  const events: FixEvent[] = [];
  const parts: FixParts = {
    openModel: async () => null,
    onEvent: event => events.push(event),
    now: () => performance.now(),
    ...changed,
  };
  const states = () => events.flatMap(event => (event.kind === 'state' ? [event.state] : []));
  return { parts, states };
}

const { signal } = new AbortController();

async function leapYear(): Promise<string> {
  const folder = join(await temporaryFolder(), 'leap-year');
  await cp(packageFile('fixtures/projects/leap-year'), folder, { recursive: true });
  return folder;
}

test('in JavaScript, too, what makes the value of a failing assertion the expected one is tried first', async () => {
  const folder = join(await temporaryFolder(), 'digits');
  await cp(packageFile('fixtures/projects/node-test-endless'), folder, { recursive: true });
  const report = await fix(optionsFor(folder), watched().parts, signal);
  expect(report.outcome).toBe('repaired');
  // Without the values, more than 200 others come first.
  expect(report.tried).toBeLessThan(50);
});

test('code is found that tests import through a path with .. or a link', async () => {
  const code = 'def total(a, b):\n    return a - b\n';
  const folder = await temporaryFolder();
  for (const part of ['src/shop', 'tests']) await mkdir(join(folder, part), { recursive: true });
  await writeFile(join(folder, 'src/shop/prices.py'), code);
  await writeFile(
    join(folder, 'tests/test_prices.py'),
    `import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "src"))
from shop.prices import total


def test_total():
    assert total(1, 2) == 3
    assert total(5, 2) == 7
`,
  );
  const report = await fix(optionsFor(folder), watched().parts, signal);
  expect(report).toMatchObject({ repairs: [{ file: 'src/shop/prices.py', function: 'total' }] });

  const linked = await temporaryFolder();
  await mkdir(join(linked, 'code'));
  await symlink('code', join(linked, 'shop'));
  await writeFile(join(linked, 'code/prices.py'), code);
  const tests = 'from shop.prices import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n';
  await writeFile(join(linked, 'test_prices.py'), tests);
  const other = await fix(optionsFor(linked), watched().parts, signal);
  expect(other).toMatchObject({ repairs: [{ file: 'code/prices.py', function: 'total' }] });
});

test('an error names the file and line of a syntax error, and pytest-django for a Django project', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'names.py'), 'x = 1\ndef slug(:\n    pass\n');
  await writeFile(
    join(folder, 'test_names.py'),
    'from names import slug\n\n\ndef test_slug():\n    slug()\n',
  );
  await expect(fix(optionsFor(folder), watched().parts, signal)).rejects.toMatchObject({
    code: 'TESTS_NOT_COLLECTED',
    message: expect.stringMatching(/collected: names\.py, line 2: SyntaxError: /),
  });

  const site = await temporaryFolder();
  await mkdir(join(site, 'app'));
  await writeFile(join(site, 'manage.py'), 'from django.core.management import execute_from_command_line\n');
  const cases =
    'from unittest import TestCase\n\n\nclass Cases(TestCase):\n    def test_it(self):\n        pass\n';
  await writeFile(join(site, 'app/tests.py'), cases);
  await expect(fix(optionsFor(site), watched().parts, signal)).rejects.toMatchObject({
    code: 'TESTS_MISSING',
    hint: expect.stringContaining('pytest-django'),
  });
});

test('a named function is repaired once its tests pass; those of others are listed, and block nothing', async () => {
  const folder = await temporaryFolder();
  await writeFile(
    join(folder, 'shop.py'),
    'def price(n):\n    return n * 3 - 1\n\n\ndef other(n):\n    return n + 1\n',
  );
  await writeFile(
    join(folder, 'test_shop.py'),
    'from shop import other, price\n\n\ndef test_other():\n    assert other(1) == "x"\n\n\ndef test_price():\n    assert price(2) == 7\n    assert price(3) == 10\n',
  );
  const target = join(folder, 'shop.py::price');
  const { parts, states } = watched();
  const report = await fix(
    { ...optionsFor(folder), target, tests: [join(folder, 'test_shop.py')] },
    parts,
    signal,
  );
  expect(report).toMatchObject({
    outcome: 'repaired',
    repairs: [{ function: 'price' }],
    failing: [{ id: 'test_shop.py::test_price', isTelling: true }],
    stillFailing: [{ id: 'test_shop.py::test_other' }],
  });
  expect(states().filter(state => state === 'search')).toHaveLength(1);
});

test('a test that ends the process of the tests is named', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'names.py'), 'def slug(name):\n    return name\n');
  await writeFile(
    join(folder, 'test_names.py'),
    'import os\nfrom names import slug\n\n\ndef test_slug():\n    assert slug("A") == "a"\n\n\ndef test_exit():\n    os._exit(0)\n',
  );
  await expect(fix(optionsFor(folder), watched().parts, signal)).rejects.toMatchObject({
    code: 'TESTS_NOT_COLLECTED',
    message: expect.stringMatching(
      /^The tests cannot be run: the test .*test_exit ended the process that ran it\.$/,
    ),
    hint: 'Correct it, or name other tests with --tests.',
  });
});

test('a function that runs only when it is imported is a suspect if no other is', async () => {
  const folder = await temporaryFolder();
  const code = `def slug(name):
    return name.lower()


BY_SLUG = {slug(name): name for name in ("one", "two")}
`;
  await writeFile(join(folder, 'names.py'), code);
  const tests = 'from names import BY_SLUG\n\n\ndef test_slug():\n    assert BY_SLUG["ONE"] == "one"\n';
  await writeFile(join(folder, 'test_names.py'), tests);
  const report = await fix(optionsFor(folder), watched().parts, signal);
  expect(report).toMatchObject({ repairs: [{ function: 'slug' }] });
});

test.each([
  ['pytest needs', 'iniconfig'],
  ['hefix has', 'outcomes'],
])('tests import the project’s module if it has the name of one that %s', async (_, name) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, '__main__.py'), '');
  await writeFile(join(folder, `${name}.py`), 'def larger(a, b):\n    return a if a < b else b\n');
  const tests = `import ${name}\n\n\ndef test_larger():\n    assert ${name}.larger(3, 4) == 4\n`;
  await writeFile(join(folder, 'test_larger.py'), tests);
  const report = await fix(optionsFor(folder), watched().parts, signal);
  expect(report).toMatchObject({ repairs: [{ function: 'larger' }] });
});

test('a repair goes through the states of its machine, and goes on from a saved one', async () => {
  const folder = await leapYear();
  const saved: string[] = [];
  const whole = watched({ onSnapshot: snapshot => saved.push(JSON.stringify(snapshot)) });
  const report = await fix(optionsFor(folder), whole.parts, signal);
  expect(report).toMatchObject({ outcome: 'repaired', after: { failed: 0 } });
  expect(whole.states()).toEqual([
    ...['copy', 'test', 'repeat', 'locate', 'search', 'confirm', 'question', 'judge', 'repaired'],
  ]);
  const inSearch = saved
    .map(text => JSON.parse(text))
    .findLast(({ children }) => children.search?.snapshot.value === 'screen');
  expect(inSearch.children.search.snapshot.context.pool.candidates.length).toBeGreaterThan(100);
  const resumed = watched({ snapshot: inSearch as ProjectSnapshot });
  const again = await fix(optionsFor(folder), resumed.parts, signal);
  expect(resumed.states()).toEqual(['search', 'confirm', 'question', 'judge', 'repaired']);
  const { changes, after, before } = report;
  expect(again).toMatchObject({ outcome: 'repaired', changes, after, before });

  // A saved state does not make it change a test either.
  const file = 'test_calendar_rules.py';
  const toSearch = structuredClone(
    JSON.parse(saved.findLast(text => text.includes('"value":{"repair":"search"}')) ?? ''),
  );
  const toEnd = structuredClone(JSON.parse(saved.at(-1) ?? ''));
  for (const suspect of toSearch.context.suspects) suspect.file = file;
  for (const change of toEnd.context.changes) change.path = file;
  expect(toEnd.context.changes).toHaveLength(1);
  for (const snapshot of [toSearch, toEnd])
    await expect(fix(optionsFor(folder), watched({ snapshot }).parts, signal)).rejects.toMatchObject({
      code: 'PATCH_TOUCHES_TEST',
    });
});

test('tests that take longer than the time limit of the repair are an error that says so', async () => {
  const folder = join(await temporaryFolder(), 'slow');
  await mkdir(folder);
  await writeFile(join(folder, 'digits.py'), 'def half(n):\n    return n\n');
  const slow = [1, 2, 3, 4, 5, 6].map(
    n => `def test_${n}():\n    time.sleep(4)\n    assert half(${2 * n}) == ${n}\n`,
  );
  await writeFile(
    join(folder, 'test_digits.py'),
    `import time\n\nfrom digits import half\n\n\n${slow.join('\n\n')}`,
  );
  const { parts, states } = watched();
  await expect(fix({ ...optionsFor(folder), time: 1 }, parts, signal)).rejects.toMatchObject({
    code: 'TESTS_TOO_SLOW',
    message: expect.stringContaining('within 1 s'),
    hint: expect.stringContaining('--time'),
  });
  expect(states()).toEqual(['copy', 'test', 'error']);
});

test('a model that is still writing when the time is up is not waited for', async () => {
  const folder = join(await temporaryFolder(), 'spelled');
  await mkdir(folder);
  await writeFile(join(folder, 'digits.py'), 'def spelled(n):\n    return str(n)\n');
  await writeFile(
    join(folder, 'test_digits.py'),
    "from digits import spelled\n\n\ndef test_spelled():\n    assert spelled(1) == 'one'\n",
  );
  const server = await startServer(stream('I cannot say.'), () => {});
  const { parts } = watched({ openModel: async () => openModel(server) });
  const report = await fix({ ...optionsFor(folder), time: 8 }, parts, signal);
  expect(report).toMatchObject({ outcome: 'not-repaired', timeUp: true });
});
