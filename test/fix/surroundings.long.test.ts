import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fix } from '../../lib/run/library/fix.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What the sandbox does not have is no bug: projects whose tests pass outside of it are not changed. */

/** Each a name, the function under test, what its test asserts, and what a note says. OUTSIDE is another folder. */
const pythonCauses: readonly (readonly [string, string, string, RegExp])[] = [
  [
    'a variable with a default',
    'os.environ.get("SHOP_MODE", "test")',
    '== "live"',
    /variable SHOP_MODE.*--env SHOP_MODE/,
  ],
  ['a variable by getenv', 'os.getenv("SHOP_MODE")', '== "live"', /variable SHOP_MODE/],
  ['whether a variable is set', '"SHOP_MODE" in os.environ', 'is True', /variable SHOP_MODE/],
  ['a variable that must be set', 'os.environ["SHOP_TOKEN"]', '== "secret"', /variable SHOP_TOKEN/],
  ['a file', 'open("OUTSIDE/rates.txt").read()', '== "3"', /rates\.txt/],
  ['whether a file is there', 'os.path.exists("OUTSIDE/rates.txt")', 'is True', /rates\.txt/],
  ['whether a folder is there', 'os.path.isdir("OUTSIDE")', 'is True', /needs \//],
  ['the files of a folder', 'sorted(os.listdir("OUTSIDE"))', '== ["rates.txt"]', /needs \//],
  ['a file, with a default', 'first_of("OUTSIDE/rates.txt")', '== "3"', /rates\.txt/],
  [
    'a database',
    'sqlite3.connect("OUTSIDE/rates.txt").execute("select 1").fetchone()',
    '== (1,)',
    /rates\.txt/,
  ],
  ['a folder that is not copied', 'open(".idea/name").read()', '== "shop"', /\.idea\/name/],
  [
    'a program',
    'subprocess.run(["no-such-program"], check=True).returncode',
    '== 0',
    /program no-such-program/,
  ],
  [
    'a program of a shell',
    'subprocess.check_output("no-such-program", shell=True)',
    '== b""',
    /program no-such-program/,
  ],
  ['whether a program is there', 'shutil.which("node") is not None', 'is True', /program node/],
  ['a module', '__import__("no_such_module").VERSION', '== 1', /module no_such_module/],
  ['a library', 'ctypes.CDLL("libnosuch.so.9")', 'is not None', /library libnosuch/],
  ['a user', 'pwd.getpwnam("daemon").pw_name', '== "daemon"', /user/],
  ['a user by number', 'pwd.getpwuid(4242).pw_name', '== "x"', /user/],
  ['a group', 'grp.getgrnam("daemon").gr_name', '== "daemon"', /user/],
  ['the terminal', 'os.get_terminal_size(0).columns > 0', 'is True', /terminal|permit/],
  ['the device of a terminal', 'open("/dev/tty").close()', 'is None', /\/dev\/tty/],
  ['another device', 'open("/dev/full").close()', 'is None', /\/dev\/full/],
  ['/sys', 'len(os.listdir("/sys/class")) > 0', 'is True', /\/sys\/class/],
  ['/var', 'len(os.listdir("/var/lib")) > 0', 'is True', /\/var\/lib/],
  ['a file of the system', 'open("/etc/login.defs").read() != ""', 'is True', /\/etc\/login\.defs/],
  ['a name of the network', 'socket.getaddrinfo("example.com", 80) != []', 'is True', /network/],
  [
    'an address of the network',
    'socket.create_connection(("192.0.2.1", 80), 1) is not None',
    'is True',
    /network/,
  ],
  ['a page', 'urllib.request.urlopen("http://example.com").status', '== 200', /network/],
  ['a socket of a service', 'connected("/run/no-such.sock")', 'is True', /network|permission|permit/],
  ['another user', 'os.setgid(0)', 'is None', /permit/],
  ['a priority', 'os.nice(-5) < 0', 'is True', /permit/],
  ['the owner of a file', 'os.chown("app.py", 0, 0)', 'is None', /permit/],
  ['a pipe with a name', 'os.mkfifo("pipe")', 'is None', /permit/],
  ['a large file', 'open("large", "wb").truncate(2**30)', '== 2**30', /more than the sandbox gives/],
  ['a locale', 'locale.setlocale(locale.LC_ALL, "zz_ZZ.UTF-8")', '== "zz_ZZ.UTF-8"', /locale/],
  // The last, since its files stay open for a while.
  ['many open files', 'len([open("app.py") for _ in range(5000)])', '== 5000', /more than the sandbox gives/],
];

const helpers = `import ctypes, grp, locale, os, pwd, shutil, socket, sqlite3, subprocess, urllib.request


def first_of(path):
    try:
        with open(path) as file:
            return file.readline()
    except OSError:
        return "1"


def connected(path):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
    return True
`;

async function projectOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** The report of a repair that changes nothing. */
async function unchanged(cwd: string) {
  vi.stubEnv('SHOP_MODE', 'live');
  const { report, diff } = await fix('.', { cwd, noRank: true, time: 120 });
  vi.unstubAllEnvs();
  expect({ outcome: report.outcome, diff: diff.toString() }).toEqual({
    outcome: 'nothing-to-repair',
    diff: '',
  });
  return report;
}

test('Python: each test that misses something is named, with what it misses', async () => {
  const outside = await projectOf({ 'rates.txt': '3' });
  const database = await projectOf({ 'rates.txt': '' });
  const idOf = (index: number) => `test_${String(index).padStart(2, '0')}`;
  const folderFor = (code: string) => (code.includes('sqlite3') ? database : outside);
  const functions = pythonCauses.map(
    ([, code], index) => `def value_${index}():\n    return ${code.replaceAll('OUTSIDE', folderFor(code))}\n`,
  );
  const tests = pythonCauses.map(
    ([, , asserted], index) => `def ${idOf(index)}():\n    assert app.value_${index}() ${asserted}\n`,
  );
  const cwd = await projectOf({
    'app.py': [helpers, ...functions].join('\n\n'),
    'test_app.py': ['import app\n', ...tests, 'def test_other():\n    assert app.first_of("app.py")\n'].join(
      '\n\n',
    ),
    '.idea/name': 'shop',
  });
  const { elsewhere, notes } = await unchanged(cwd);
  expect(elsewhere).toEqual(pythonCauses.map((_, index) => `test_app.py::${idOf(index)}`));
  const unsaid = pythonCauses.filter(([, , , said], index) => {
    // A note names three tests at most.
    const isNamed = (note: string) => note.includes(idOf(index)) || / and \d+ more\. /.test(note);
    return !notes.some(note => said.test(note) && isNamed(note));
  });
  expect(unsaid, notes.join('\n')).toEqual([]);
});

test('the output of Python tests has a number, as outside', { timeout: 200_000 }, async () => {
  const asked = ['os.isatty(sys.stdout.fileno()) is False', 'os.isatty(sys.stderr.fileno()) is False'];
  const cwd = await projectOf({
    'app.py': `import os\nimport sys\n\n\ndef value():\n    return ${asked.join(' and ')}\n`,
    'test_app.py': 'import app\n\n\ndef test_value():\n    assert app.value() is True\n',
  });
  const { report } = await fix('.', { cwd, noRank: true, time: 60 });
  expect([report.outcome, report.elsewhere]).toEqual(['nothing-to-repair', []]);
});

const javascriptCauses: readonly (readonly [string, string, RegExp])[] = [
  ['a variable', "process.env.SHOP_MODE === 'live'", /variable SHOP_MODE/],
  ['a program', "execFileSync('no-such-program') !== null", /program no-such-program/],
  ['a file of the system', "readFileSync('/etc/login.defs') !== null", /\/etc\/login\.defs/],
  ['a package', "createRequire(import.meta.url)('no-such-package') !== null", /module no-such-package/],
];

test.each(javascriptCauses)('JavaScript: %s', { timeout: 200_000 }, async (_, code, note) => {
  const cwd = await projectOf({
    'app.mjs': `import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const modules = [execFileSync, readFileSync, createRequire];

export function value() {
  return ${code};
}
`,
    'app.test.mjs': `import assert from 'node:assert';
import test from 'node:test';
import { value } from './app.mjs';

test('value', () => assert.strictEqual(value(), true));
test('other', () => assert.ok(value.name));
`,
  });
  const { elsewhere, notes } = await unchanged(cwd);
  expect(elsewhere).toHaveLength(1);
  expect(notes.join('\n')).toMatch(note);
});
