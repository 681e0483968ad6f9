import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findProject } from '../../../lib/fix/project/find-project.ts';
import { findTests } from '../../../lib/fix/project/find-tests.ts';
import { locateProject } from '../../../lib/fix/project/locate.ts';
import { pythonOf } from '../../../lib/fix/project/project-python.ts';
import { listProject } from '../../../lib/fix/project/snapshot.ts';
import { readTarget } from '../../../lib/fix/project/target.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hefix-project-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe('a target', () => {
  test('is a file, a function, a function with a line, or a folder', () => {
    put('stats.py');
    expect(readTarget('stats.py::Box.size:12', root)).toMatchObject({ function: 'Box.size', line: 12 });
    expect(readTarget('stats.py', root)).toMatchObject({ isFolder: false, function: null });
    expect(readTarget(undefined, root)).toMatchObject({ isFolder: true, path: root });
  });

  test('a missing target suggests the nearest name', () => {
    put('stats.py');
    expect(() => readTarget('stat.py', root)).toThrow(
      expect.objectContaining({ code: 'TARGET_NOT_FOUND', hint: expect.stringContaining('stats.py') }),
    );
  });

  test('a target of another language is refused', () => {
    put('a.rb');
    expect(() => readTarget('a.rb', root)).toThrow(expect.objectContaining({ code: 'TARGET_UNSUPPORTED' }));
  });

  const rootOf = (target: string, tests: readonly string[] = [], cwd = root, top?: string): string =>
    locateProject({ target, tests, cwd, top }).root;

  test('belongs to the nearest marked folder, or the smallest common folder', () => {
    put('lib/a/stats.py');
    put('lib/checks/test_stats.py');
    expect(rootOf('lib/a/stats.py', ['lib/checks/test_stats.py'])).toBe(join(root, 'lib'));
    put('pyproject.toml');
    expect(rootOf('lib/a/stats.py', ['lib/checks/test_stats.py'])).toBe(root);
    expect(rootOf('lib')).toBe(root);
  });

  test('a target in a package belongs to the folder with the tests, or the one that the package is imported from', () => {
    put('code/shop/__init__.py');
    put('code/shop/goods/__init__.py');
    put('code/shop/goods/prices.py');
    for (const target of ['code/shop', 'code/shop/goods', 'code/shop/goods/prices.py'])
      expect(rootOf(target)).toBe(join(root, 'code'));
    expect(rootOf('.', [], join(root, 'code/shop'))).toBe(join(root, 'code'));
    put('tests/test_prices.py');
    expect(rootOf('code/shop')).toBe(root);
  });

  test('has no root above a folder that is the highest allowed', () => {
    put('pyproject.toml');
    put('shop/__init__.py');
    const shop = join(root, 'shop');
    expect(rootOf('.', [], shop, shop)).toBe(shop);
  });

  test('below the current folder or in its repository, tests beside or above it belong to the project', () => {
    put('.git/HEAD');
    put('code/shop/prices.py');
    put('checks/test_prices.py');
    const found = (target: string, cwd: string) => findProject({ target, tests: [], cwd: join(root, cwd) });
    for (const [target, cwd] of [
      ['code/shop/prices.py', ''],
      ['shop/prices.py', 'code'],
      ['prices.py', 'code/shop'],
      ['.', 'code'],
    ] as const) {
      const { root: chosen, plan } = found(target, cwd);
      expect([chosen, plan.tests]).toEqual([root, ['checks/test_prices.py']]);
    }
    expect(() =>
      findProject({ target: '.', tests: [], cwd: join(root, 'code'), top: join(root, 'code') }),
    ).toThrow(expect.objectContaining({ code: 'TESTS_MISSING' }));
    rmSync(join(root, '.git'), { recursive: true });
    expect(() => found('prices.py', 'code/shop')).toThrow(expect.objectContaining({ code: 'TESTS_MISSING' }));
  });

  test.each(['pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'pytest.ini', 'package.json'])(
    'without a repository, %s marks the folder around the current one that has the tests',
    mark => {
      put('shop/src/store/__init__.py');
      put('shop/src/store/prices.py');
      put('shop/tests/test_prices.py');
      put('tests/test_prices.py');
      const found = () => findProject({ target: 'store/prices.py', tests: [], cwd: join(root, 'shop/src') });
      expect(found).toThrow(expect.objectContaining({ code: 'TESTS_MISSING' }));
      put(`shop/${mark}`, '{}');
      expect(found()).toMatchObject({
        ...{ root: join(root, 'shop'), place: 'src/store/prices.py' },
        plan: { tests: ['tests/test_prices.py'] },
      });
    },
  );

  test('is where a link in the current folder leads', () => {
    put('code/prices.py');
    put('checks/test_prices.py');
    symlinkSync('code', join(root, 'linked'));
    const { target, place } = findProject({ target: 'linked/prices.py', tests: [], cwd: root });
    expect([target.path, place]).toEqual([join(root, 'code/prices.py'), 'code/prices.py']);
  });

  test('has no root outside of its repository', () => {
    put('package.json', '{}');
    put('app/.git/HEAD');
    put('app/lib/a.js');
    expect(rootOf('app/lib')).toBe(join(root, 'app/lib'));
  });
});

describe('tests', () => {
  const find = (text: string) =>
    findTests({
      target: readTarget(text, root),
      language: 'python',
      root,
      namedTests: [],
      files: listProject(root).files,
    });

  test('tests of a file are its examples and test files with its name', () => {
    put('stats.py', 'def f():\n    """\n    >>> f()\n    1\n    """\n');
    put('tests/test_stats.py');
    put('tests/test_other.py');
    expect(find('stats.py')).toMatchObject({ tests: ['tests/test_stats.py'], doctest: ['stats.py'] });
    expect(find('.')).toMatchObject({ tests: ['tests/test_other.py', 'tests/test_stats.py'], doctest: [] });
  });

  test('tests of a folder are those in it, or all of the project', () => {
    put('pyproject.toml');
    put('shop/__init__.py');
    put('tests/test_prices.py');
    expect(find('shop').tests).toEqual(['tests/test_prices.py']);
    put('shop/tests/test_goods.py');
    expect(find('shop').tests).toEqual(['shop/tests/test_goods.py']);
  });

  test('missing tests are an error', () => {
    put('stats.py');
    expect(() => find('stats.py')).toThrow(expect.objectContaining({ code: 'TESTS_MISSING' }));
    expect(() => find('.')).toThrow(expect.objectContaining({ code: 'TESTS_MISSING' }));
  });
});

test('leaves out environments, dependencies and .git, and limits the size', () => {
  for (const path of ['a.py', '.git/x', 'node_modules/m/i.js', '.venv/pyvenv.cfg', '.venv/lib/x.py'])
    put(path);
  put('packages/core/node_modules/m/i.js');
  expect(listProject(root)).toMatchObject({ files: ['a.py'], modules: ['packages/core/node_modules'] });
  put('big', 'x'.repeat(100));
  const refused = (bytes: number, files: number) => {
    expect(() => listProject(root, null, { bytes, files })).toThrow(
      expect.objectContaining({ code: 'PROJECT_TOO_LARGE' }),
    );
    return expect(() => listProject(root, null, { bytes, files }));
  };
  refused(50, 10).toThrow('more than 0 MiB,');
  refused(500, 1).toThrow('more than 1 files,');
  for (let at = 0; at < 20; at++) put(`packages/${at}/node_modules/m/i.js`);
  refused(500, 2).toThrow('more than 20 entries of folders,');
});

test('the interpreter is the named one, the environment’s, or python3', () => {
  expect(pythonOf(root, undefined, {})).toBe('python3');
  expect(pythonOf(root, '/usr/bin/python3', {})).toBe('/usr/bin/python3');
  put('.venv/pyvenv.cfg');
  expect(() => pythonOf(root, undefined, {})).toThrow(
    expect.objectContaining({ code: 'INTERPRETER_UNUSABLE', message: expect.stringContaining('.venv') }),
  );
  put('.venv/bin/python');
  expect(pythonOf(root, undefined, {})).toBe(join(root, '.venv/bin/python'));
});
