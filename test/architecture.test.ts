import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../lib/files/package.ts';

/** The import rules of the project: data walks one way, so imports do too. */

const root = packageFile('.');
const folders = ['bin', 'lib', 'machines', 'dataset'];

interface Import {
  readonly from: string;
  /** A path relative to the root, or a package's name. */
  readonly to: string;
  readonly typesOnly: boolean;
  /** Whether it is loaded only when it is asked for. */
  readonly onDemand: boolean;
}

const sources = folders.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name)),
);
const imports = sources.flatMap(importsOf);

/**
 * What each folder may import besides itself. Folders are listed in the order of the data: each imports only folders
 * above it. The folders in `lib` are named without `lib/`; one in a room that is listed by itself is not part of the room.
 */
const allowed: Readonly<Record<string, string>> = {
  'extras.ts': '',
  core: '',
  files: 'core',
  'options/trust': 'core files',
  syntax: 'core',
  'syntax/edits': 'core syntax',
  machines: 'core',
  'repair/prompt': 'core syntax syntax/edits machines',
  'repair/behaviour': 'core files syntax',
  repair: 'core files syntax syntax/edits repair/prompt machines repair/behaviour',
  'files/hub': 'core files',
  'repair/robust': 'core files syntax repair/behaviour repair',
  model: 'core files files/hub',
  sandbox: 'extras.ts core files syntax',
  dataset: 'core files syntax files/hub',
  options: 'extras.ts core files options/trust repair/prompt machines repair model dataset',
  'report/results': 'core files options',
  report: 'core files report/results',
  run: 'extras.ts core files machines repair repair/robust files/hub model sandbox dataset options report/results report',
  'run/score': 'core files syntax repair/prompt repair dataset options',
  fix: 'core files syntax syntax/edits repair/prompt machines repair repair/behaviour sandbox options',
  'cli/terminal': 'core files/hub options report run fix',
  'report/viewer': 'core files repair dataset options report/results report',
  'run/library':
    'core files syntax repair/prompt repair model sandbox dataset options report/results report run run/score fix report/viewer',
  cli: 'extras.ts core files options/trust repair/prompt machines repair repair/robust files/hub model sandbox dataset options report/results report run run/score fix cli/terminal report/viewer run/library',
  extra:
    'extras.ts core files syntax syntax/edits repair/prompt repair/behaviour repair files/hub repair/robust model sandbox dataset options report/results report run run/score fix cli/terminal report/viewer run/library cli',
  'index.ts': 'core files machines files/hub model dataset report/results report run fix run/library',
  bin: 'options/trust cli',
};

/** These open files of the package and of the system, or files to write to. */
const openingOwnFiles = [
  'lib/repair/behaviour/observed-program.ts',
  'lib/cli/doctor/app-armor.ts',
  'lib/extra/attack/attack-cases.ts',
  'lib/extra/attack/control.ts',
  'lib/files/hub/download-file.ts',
  'lib/model/build/graph-builder.ts',
  'lib/model/onnx/processor-features.ts',
  'lib/model/onnx/onnx-model.ts',
  'lib/repair/screen/screen.ts',
  'lib/report/charts/type-setting.ts',
  'lib/report/results/record-file.ts',
  'lib/run/model/create-model.ts',
  'lib/run/queue/shards/shard.ts',
  'lib/extra/compiled/find-toolchain.ts',
  'lib/extra/docker/container-python.ts',
  'lib/extra/docker/container.ts',
  'lib/sandbox/isolation/jail-text.ts',
  'lib/sandbox/isolation/programs.ts',
  'lib/sandbox/isolation/mounts.ts',
  'lib/sandbox/isolation/work-folder.ts',
  'lib/sandbox/javascript/fork/close-jail.ts',
  'lib/sandbox/javascript/fork/fork-server.ts',
  'lib/sandbox/javascript/host/candidate-host.ts',
  'lib/sandbox/process/started-process.ts',
  'lib/sandbox/python/host/python-programs.ts',
  'lib/report/viewer/live/inspection.ts',
  'lib/report/viewer/shell.ts',
];

/** Where streams are read, and what limits what the other side may send. */
const readingStreams: Readonly<Record<string, string>> = {
  'lib/cli/queue/command.ts': 'pages of Bull Board, which this process renders',
  'lib/cli/step/command.ts': 'keys of the user',
  'lib/files/hub/download-file.ts': 'as many bytes as the listing says',
  'lib/files/hub/hub-listing.ts': 'MAX_PAGE_BYTES',
  'lib/model/server/reply/read-body.ts': 'maxBytes of limitedBody, through which all others read',
  'lib/model/server/reply/read-reply.ts': 'chunks of limitedBody',
  'lib/run/queue/shards/upload.ts': 'MAX_WORDS',
  'lib/extra/compiled/java/warm-judges.ts': 'keeps nothing',
  'lib/extra/docker/container-candidate.ts': 'keeps nothing, and waits while the container does not read',
  'lib/extra/docker/container.ts': 'the last 4096 characters of what the engine complains of',
  'lib/sandbox/process/started-process.ts': 'maxBytes',
  'lib/sandbox/process/messages.ts': 'MessageLimits: all messages of jails and containers',
  'lib/cli/terminal/terminal.ts': 'answers of the user',
};

describe('imports', () => {
  test('each folder imports only allowed folders', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [own, other] = [folderOf(from), folderOf(to)];
      if (from === 'lib/extras.ts') return false;
      return sources.includes(to) && own !== other && !allowed[own]?.split(' ').includes(other);
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  test('allowed imports only point upwards in the table', () => {
    const order = Object.keys(allowed);
    const wrong = Object.entries(allowed).flatMap(([folder, others]) =>
      others
        .split(' ')
        .filter(other => !order.slice(0, order.indexOf(folder)).includes(other) && other !== '')
        .map(other => `${folder} → ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  test('an extra is known only to lib/extra/list.ts, which loads nothing of it but its extra.ts', () => {
    const isEntry = (path: string) => /^lib\/extra\/[^/]+\/extra\.ts$/.test(path);
    const uses = imports.filter(i => extraOf(i.to) !== undefined && extraOf(i.to) !== extraOf(i.from));
    expect(uses.filter(i => i.from !== 'lib/extra/list.ts')).toEqual([]);
    expect(uses.map(i => i.to)).toEqual(sources.filter(isEntry).toSorted());
    expect(imports.filter(i => isEntry(i.from) && !i.typesOnly && !i.onDemand)).toEqual([]);
    expect(
      from('lib/extras.ts')
        .filter(i => !i.typesOnly)
        .map(i => i.to),
    ).toEqual(['lib/extra/list.ts']);
  });

  test('machines import only types from lib', () => {
    expect(
      imports.filter(
        i =>
          i.from.startsWith('machines/') &&
          !i.typesOnly &&
          !i.to.startsWith('xstate') &&
          !i.to.startsWith('machines/'),
      ),
    ).toEqual([]);
  });

  test('lib/repair/prompt does no I/O', () => {
    expect(from('lib/repair/prompt/').filter(i => i.to.startsWith('node:') || i.to === 'execa')).toEqual([]);
  });

  test('the page of lib/report/viewer imports only types and pure functions from elsewhere, since it runs in a browser', () => {
    const pure =
      /^lib\/(report\/viewer\/page\/|core\/(numbers|counts)\.ts$|report\/(task-runs|interval|paired|numbers)\.ts$)/;
    expect(
      from('lib/report/viewer/page/').filter(
        i => !i.typesOnly && i.to.startsWith('lib/') && !pure.test(i.to),
      ),
    ).toEqual([]);
    expect(from('lib/report/viewer/page/').filter(i => i.to.startsWith('node:'))).toEqual([]);
  });

  test('what reads projects and settings reads files only with lib/files/untrusted-file.ts', () => {
    const readers =
      /^lib\/(fix|extra\/mcp|options)\/|^lib\/run\/library\/fix-project|^lib\/cli\/(fix|trust)\//;
    const harmless =
      /^(?:type \w+|constants|access|existsSync|l?stat(?:Sync)?|realpath(?:Sync)?|mkdir(?:Sync)?|chmodSync|symlinkSync|writeFileSync|renameSync|rm(?:Sync)?)$/;
    const uses = sources.filter(path => readers.test(path)).flatMap(path => namesFrom(path, /^(?:node:)?fs/));
    expect(uses.length).toBeGreaterThan(10);
    expect(uses.filter(({ name }) => !harmless.test(name))).toEqual([]);
  });

  test('everything else opens files that others may have written only with lib/files', () => {
    const openers = /^(?:\*|readFile(?:Sync)?|open(?:Sync)?|createReadStream)$/;
    const users = sources
      .filter(path => folderOf(path) !== 'files' && !path.startsWith('dataset/build/'))
      .flatMap(path => namesFrom(path, /^(?:node:)?fs/))
      .filter(({ name }) => openers.test(name));
    expect([...new Set(users.map(({ path }) => path))].toSorted()).toEqual(
      openingOwnFiles.filter(isThere).toSorted(),
    );
  });

  test('streams of jails, processes and servers are read only where something limits them', () => {
    const reading =
      /\.on\(\s*'(?:data|readable)'|\bcreateInterface\(|\.getReader\(|\.(?:arrayBuffer|formData|blob)\(\)|\b(?:response|answer)\.(?:text|json)\(\)|\bfor await \([^)]* of (?:body|chunks|\w+\.(?:stdin|stdout|stderr|body))\b|'node:stream\/consumers'/;
    const found = sources.filter(
      path => !path.startsWith('lib/report/viewer/page/') && reading.test(read(path)),
    );
    expect(found.toSorted()).toEqual(Object.keys(readingStreams).filter(isThere).toSorted());
  });

  test('lib/fix starts programs in three places, and nothing starts git, a package manager or a test framework', () => {
    const starting = sources.filter(path => /from '(?:execa|node:child_process)'/.test(read(path)));
    expect(starting.filter(path => path.startsWith('lib/fix/')).toSorted()).toEqual([
      'lib/fix/project/check-sources.ts',
      'lib/fix/runners/python-runner.ts',
      'lib/fix/runners/test-jail.ts',
    ]);
    const named =
      /\b(?:execa|spawn\w*|exec\w*|fork)\(\s*['"`](?:git|npm|npx|yarn|pnpm|pytest|vitest|jest|mocha)\b/;
    expect(starting.filter(path => named.test(read(path)))).toEqual([]);
  });

  test('onnxruntime is loaded in one place, after its telemetry is off, and one function opens sessions', () => {
    const others = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(ts|mjs|js)$/.test(name) && name !== 'architecture.test.ts')
      .map(name => join('test', name));
    const having = (pattern: RegExp) => [...sources, ...others].filter(path => pattern.test(read(path)));
    expect(
      having(/^import (?!type)[^;]*'onnxruntime-node'|(require|import)\S*\('onnxruntime-node'/m),
    ).toEqual(['lib/model/onnx/runtime.ts']);
    expect(having(/InferenceSession\s*\.create/)).toEqual(['lib/model/onnx/session.ts']);
  });

  test('has no import cycles', () => {
    expect(findCycle()).toBeNull();
  });
});

describe('files', () => {
  test('has no index file except lib/index.ts, and no default exports', () => {
    expect(sources.filter(path => path.endsWith('/index.ts') && path !== 'lib/index.ts')).toEqual([]);
    expect(sources.filter(path => /^export default/m.test(read(path)))).toEqual([]);
  });

  test('every imported package is a dependency', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const known = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
    ]);
    // Bundled into one file each at build time, with everything that they import.
    const bundled = ['lib/report/viewer/page/', 'lib/report/charts/drawing-packages.ts'];
    const packages = imports
      .filter(i => !bundled.some(start => i.from.startsWith(start)))
      .map(i => i.to)
      .filter(to => !/^(node:|lib\/|bin\/|machines\/|dataset\/)/.test(to));
    const names = packages.map(to => to.split('/', to.startsWith('@') ? 2 : 1).join('/'));
    // Packages used only to build the bundled datasets are development dependencies.
    const unknown = [...new Set(names)].filter(name => !known.has(name) && name !== 'hyparquet-writer');
    expect(unknown).toEqual([]);
  });
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** `run` for `lib/run/plan.ts`, `bin` for `bin/hefix.ts`, `index.ts` for `lib/index.ts`; a folder in a room may be listed. */
function folderOf(path: string): string {
  const [room = '', folder] = path.replace(/^lib\//, '').split('/');
  const inRoom = `${room}/${folder}`;
  return Object.hasOwn(allowed, inRoom) ? inRoom : room;
}

/** False for a file of an extra that was removed. */
function isThere(path: string): boolean {
  return !path.startsWith('lib/extra/') || sources.includes(path);
}

/** `attack` for `lib/extra/attack/command.ts`. */
function extraOf(path: string): string | undefined {
  return /^lib\/extra\/([^/]+)\//.exec(path)?.[1];
}

function from(prefix: string): Import[] {
  return imports.filter(i => i.from.startsWith(prefix));
}

/** The names that a file imports from a module; `*` for all. */
function namesFrom(path: string, module: RegExp): { readonly path: string; readonly name: string }[] {
  const found = read(path).matchAll(/^import\s+(type\s)?([^']*?)\s+from\s+'([^']+)'/gm);
  const named = [...found].filter(([, , , from = '']) => module.test(from));
  const dynamic = [...read(path).matchAll(/(?:import|require)\('([^']+)'\)/g)].filter(([, from = '']) =>
    module.test(from),
  );
  const names = named.flatMap(([, isType, words = '']) => {
    if (isType) return [];
    const inside = /^\{([^}]*)\}$/.exec(words)?.[1];
    return inside === undefined
      ? ['*']
      : inside.split(',').flatMap(each => each.trim().replace(/ as .*/, '') || []);
  });
  return [...names, ...dynamic.map(() => '*')].map(name => ({ path, name }));
}

function importsOf(path: string): Import[] {
  const pattern =
    /^(?:import|export)\s+(type\s)?(?:[\w\s*{},$]*?\sfrom\s+)?'([^']+)'|(?<!typeof )import\('([^']+)'\)/gm;
  return [...read(path).matchAll(pattern)].map(match => {
    const target = match[2] ?? match[3] ?? '';
    const to = target.startsWith('.') ? relative(root, resolve(root, dirname(path), target)) : target;
    return { from: path, to, typesOnly: match[1] !== undefined, onDemand: match[3] !== undefined };
  });
}

/** The files of a cycle of imports, first file repeated at the end; null if there is none. */
function findCycle(): string[] | null {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const i of imports) {
      // An extra's entry knows the types of what it adds to, and loads the rest of the extra on demand.
      if (/^lib\/extra\/[^/]+\/extra\.ts$/.test(path)) continue;
      const cycle = i.from === path && sources.includes(i.to) ? visit(i.to, [...trail, path]) : null;
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of sources) {
    const cycle = visit(path, []);
    if (cycle) return cycle;
  }
  return null;
}

test('scripts import names that the built modules have', () => {
  const scripts = ['fixtures', 'test'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.mjs') && !name.includes('node_modules'))
      .map(name => join(folder, name)),
  );
  const missing = scripts.flatMap(script =>
    [
      ...readFileSync(join(root, script), 'utf8').matchAll(/import \{([^}]+)\} from '([^']*dist\/[^']+)';/g),
    ].flatMap(([, names = '', path = '']) => {
      const source = resolve(root, dirname(script), path).replace('/dist/', '/').replace(/\.js$/, '.ts');
      const code = existsSync(source) ? readFileSync(source, 'utf8') : '';
      return names
        .split(',')
        .map(name => name.trim().replace(/ as .*/, ''))
        .filter(name => name !== '' && !new RegExp(String.raw`^export .*\b${name}\b`, 'm').test(code))
        .map(name => `${script}: ${name}`);
    }),
  );
  expect(scripts.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
