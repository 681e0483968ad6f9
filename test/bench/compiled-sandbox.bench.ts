import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { loadDataset } from '../../dataset/load.ts';
import { median } from '../../lib/core/numbers.ts';
import type { Task } from '../../lib/core/task.ts';
import { inPackage, isUnused, readGoFile } from '../../lib/extra/compiled/go/source-file.ts';
import { packageFile } from '../../lib/files/package.ts';
import { createSandbox, processStarters } from '../../lib/sandbox/create-sandbox.ts';
import { openParser } from '../../lib/syntax/parser.ts';
import { toolchain } from '../extra/compiled/toolchains.ts';
import { sharedData } from '../support/shared-data.ts';

/**
 * Processor seconds, over all processes, of one verdict on a compiled candidate whose judge is already built,
 * compared with the toolchain's usual way: candidate and tests compiled into one program. Both alternate, so
 * that other load affects both. Runs at the level `namespaces`, because bubblewrap does not wait for its
 * first process, whose time would be lost.
 */
interface Usual {
  readonly language: 'go' | 'rust' | 'cpp' | 'java';
  readonly command: string;
  /** The required speed-up of a verdict. */
  readonly goal: number;
  /** Writes what the command needs once. */
  prepare(folder: string): void;
  run(folder: string, task: Task): Promise<void>;
}

const usual: readonly Usual[] = [
  {
    language: 'go',
    command: 'go test',
    goal: 4,
    prepare(folder) {
      const assert = join(folder, 'src/github.com/stretchr/testify/assert');
      mkdirSync(assert, { recursive: true });
      const source = [
        'package assert\nimport ("reflect"; "testing")\ntype Assertions struct{ t *testing.T }',
        'func New(t *testing.T) *Assertions { return &Assertions{t} }',
        'func (a *Assertions) Equal(x, y any, _ ...any) bool { if !reflect.DeepEqual(x, y) { a.t.Fail() }; return true }\n',
      ];
      writeFileSync(join(assert, 'assert.go'), source.join('\n'));
    },
    async run(folder, { canonical, tests }) {
      const parser = await openParser('go');
      const file = (name: string, text: string): string => {
        const read = readGoFile(parser, text);
        return inPackage('main', name, read, imported => isUnused(read, imported));
      };
      writeFileSync(join(folder, 'main.go'), `${file('main.go', canonical)}\nfunc main() {}\n`);
      writeFileSync(join(folder, 'main_test.go'), file('main_test.go', tests));
      const env = { ...process.env, GO111MODULE: 'off', GOPATH: folder, GOFLAGS: '' };
      execFileSync('go', ['test', 'main.go', 'main_test.go'], { cwd: folder, env, stdio: 'ignore' });
    },
  },
  {
    language: 'rust',
    command: 'cargo check, cargo test',
    goal: 2.5,
    prepare(folder) {
      const crates = ['rand', 'regex', 'md5'];
      mkdirSync(join(folder, 'src'), { recursive: true });
      const manifest = (name: string, rest: string): string =>
        `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${rest}`;
      for (const name of crates) {
        cpSync(packageFile(`lib/extra/compiled/rust/runtime/${name}`), join(folder, name), {
          recursive: true,
        });
        writeFileSync(join(folder, name, 'Cargo.toml'), manifest(name, '[lib]\npath = "lib.rs"\n'));
      }
      const paths = crates.map(name => `${name} = { path = "${name}" }\n`).join('');
      writeFileSync(
        join(folder, 'Cargo.toml'),
        manifest('candidate', `[dependencies]\n${paths}[workspace]\n`),
      );
    },
    async run(folder, { canonical, tests }) {
      writeFileSync(join(folder, 'src/main.rs'), `fn main(){}\n${canonical}\n${tests}`);
      for (const word of ['check', 'test'])
        execFileSync('cargo', [word, '--offline', '-q'], { cwd: folder, stdio: 'ignore' });
    },
  },
  {
    language: 'cpp',
    command: "g++ with the harness's flags",
    goal: 3,
    prepare() {},
    async run(folder, { canonical, tests }) {
      // The harness links to OpenSSL, which a single task needs; hefix has its own MD5. Its boost::any needs C++17,
      // so the two tasks that use it are left out.
      const include = packageFile('lib/extra/compiled/cpp/runtime/include');
      writeFileSync(join(folder, 'test.cpp'), `${harnessIncludes}${canonical}\n${tests}`);
      const words = ['-std=c++11', '-w', '-I', include, 'test.cpp', '-o', 'test'];
      execFileSync('g++', words, { cwd: folder, stdio: 'ignore' });
      execFileSync('./test', [], { cwd: folder, stdio: 'ignore' });
    },
  },
  {
    language: 'java',
    command: 'javac and java',
    goal: 10,
    prepare() {},
    async run(folder, { canonical, tests }) {
      writeFileSync(join(folder, 'Main.java'), `${canonical}\n${tests}`);
      execFileSync('javac', ['Main.java'], { cwd: folder, stdio: 'ignore' });
      execFileSync('java', ['-cp', '.', 'Main'], { cwd: folder, stdio: 'ignore' });
    },
  },
];

/** The headers that the harness puts before each C++ program, but boost's, which the tasks here do not use. */
const harnessIncludes = [
  ...[
    'cassert',
    'stdlib.h',
    'algorithm',
    'cmath',
    'math.h',
    'numeric',
    'stdio.h',
    'vector',
    'set',
    'map',
    'queue',
  ],
  ...['stack', 'list', 'deque', 'string', 'climits', 'cstring', 'iostream', 'sstream', 'fstream'],
]
  .map(name => `#include <${name}>\n`)
  .join('');

const count = 10;

test.each(usual.filter(({ language }) => toolchain(language).isThere))('$language', async way => {
  const { language, command, goal } = way;
  const rows = sharedData(`humanevalpack/${language}.even.jsonl.gz`);
  const { tasks: all } = await loadDataset(rows ?? `mini-${language}`, { language });
  const tasks = all.filter(({ canonical }) => !canonical.includes('boost/any.hpp')).slice(0, count + 1);
  const folder = mkdtempSync(join(tmpdir(), 'hefix-bench-'));
  const sandbox = await createSandbox(
    processStarters({ timeoutSeconds: 20, isolation: 'namespaces' }),
    language,
  );
  try {
    way.prepare(folder);
    const verdict = async ({ canonical: candidate, tests, entryPoint, declaration }: Task) => {
      await sandbox.execute({ language, candidate, tests, entryPoint, declaration });
    };
    const own: number[] = [];
    const theirs: number[] = [];
    for (const [index, task] of tasks.entries()) {
      // Builds the judge.
      await verdict(task);
      const verdictSeconds = await processorSeconds(() => verdict(task));
      const usualSeconds = await processorSeconds(() => way.run(folder, task));
      // The first one fills the toolchain's caches.
      if (index > 0) {
        own.push(verdictSeconds);
        theirs.push(usualSeconds);
      }
    }
    const [ours, other] = [median(own) ?? 0, median(theirs) ?? 0];
    const ratio = other / ours;
    console.log(
      `${language}: a verdict ${ours.toFixed(2)} s of processor time, ${command} ${other.toFixed(2)} s`,
    );
    console.log(`  ${ratio.toFixed(1)} times less (goal ${goal}: ${ratio >= goal ? 'met' : 'missed'})`);
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Processor time of this process, its running descendants, and the children that it has waited for. */
async function processorSeconds(action: () => Promise<void>): Promise<number> {
  const before = usedSeconds(process.pid);
  await action();
  return usedSeconds(process.pid) - before;
}

/** proc_pid_stat(5): utime, stime, cutime and cstime are fields 14 to 17, in hundredths of a second. */
function usedSeconds(pid: number | string): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field || 0), 0) / 100;
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return own + children.reduce((sum, child) => sum + usedSeconds(child), 0);
}

/** Empty for a process that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
