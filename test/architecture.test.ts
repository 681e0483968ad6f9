import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../lib/files/package-root.ts';

/** The import rules of the project: data walks one way, so imports do too. */

const root = packageFile('.');
const folders = ['bin', 'lib', 'machines', 'dataset'];

interface Import {
  readonly from: string;
  /** A path relative to the root, or a package's name. */
  readonly to: string;
  readonly typesOnly: boolean;
}

const sources = folders.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name)),
);
const imports = sources.flatMap(importsOf);

describe('imports', () => {
  test('machines import xstate, each other and, from lib, types alone', () => {
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

  test('lib/prompt does no I/O', () => {
    expect(from('lib/prompt/').filter(i => i.to.startsWith('node:') || i.to === 'execa')).toEqual([]);
  });

  test('lib/model knows neither prompts, tasks nor sandboxes', () => {
    expect(
      from('lib/model/').filter(i =>
        /^(lib\/(prompt|sandbox|agent|run|report|task)|dataset|machines)/.test(i.to),
      ),
    ).toEqual([]);
  });

  test('lib/sandbox knows neither prompts nor models', () => {
    expect(
      from('lib/sandbox/').filter(i => /^(lib\/(prompt|model|agent|run|report)|dataset|machines)/.test(i.to)),
    ).toEqual([]);
  });

  test('lib/report reads records only', () => {
    expect(
      from('lib/report/').filter(i => /^(lib\/(prompt|model|agent|sandbox)|dataset|machines)/.test(i.to)),
    ).toEqual([]);
  });

  test('the page of lib/viewer takes no more than types and pure figures from elsewhere, for it runs in a browser', () => {
    const pure = /^lib\/(viewer\/page\/|report\/(task-runs|interval|paired)\.ts$)/;
    expect(
      from('lib/viewer/page/').filter(i => !i.typesOnly && i.to.startsWith('lib/') && !pure.test(i.to)),
    ).toEqual([]);
    expect(from('lib/viewer/page/').filter(i => i.to.startsWith('node:'))).toEqual([]);
  });

  test('bin imports what commands are made of, and never the parts behind them', () => {
    const rooms = /^lib\/(commands|core|options|report|run|terminal|viewer)\//;
    expect(from('bin/').filter(i => i.to.startsWith('lib/') && !rooms.test(i.to))).toEqual([]);
    expect(from('bin/').filter(i => /^(dataset|machines)\//.test(i.to))).toEqual([]);
  });

  test('there are no cycles', () => {
    expect(findCycle()).toBeNull();
  });
});

describe('files', () => {
  test('there is no index file but lib/index.ts, and no default export', () => {
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
    // The page is joined to one file when it is built, with all that it imports.
    const packages = imports
      .filter(i => !i.from.startsWith('lib/viewer/page/'))
      .map(i => i.to)
      .filter(to => !/^(node:|lib\/|bin\/|machines\/|dataset\/)/.test(to));
    const names = packages.map(to => to.split('/', to.startsWith('@') ? 2 : 1).join('/'));
    // What only the builders of the bundled data sets use is a development dependency.
    const unknown = [...new Set(names)].filter(name => !known.has(name) && name !== 'hyparquet-writer');
    expect(unknown).toEqual([]);
  });
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function from(prefix: string): Import[] {
  return imports.filter(i => i.from.startsWith(prefix));
}

function importsOf(path: string): Import[] {
  const pattern =
    /^(?:import|export)\s+(type\s)?(?:[\w\s*{},$]*?\sfrom\s+)?'([^']+)'|(?<!typeof )import\('([^']+)'\)/gm;
  return [...read(path).matchAll(pattern)].map(match => {
    const target = match[2] ?? match[3] ?? '';
    const to = target.startsWith('.') ? relative(root, resolve(root, dirname(path), target)) : target;
    return { from: path, to, typesOnly: match[1] !== undefined };
  });
}

/** The files of a cycle of imports, first file repeated at the end; null if there is none. */
function findCycle(): string[] | null {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const i of imports) {
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
