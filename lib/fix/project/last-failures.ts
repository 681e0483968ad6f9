import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { TestResult } from '../../core/project-tests.ts';
import { listUntrusted, parseJson, readUntrustedText } from '../../files/untrusted-file.ts';

/**
 * Whether a test is one of those that failed when the project's own runner ran last, as its cache says: pytest's names
 * tests, vitest's and jest's files of tests. It may be old or wrong: a hint where to begin, and no more.
 * @param root absolute path of the project
 */
export function lastFailures(root: string, cacheFolder = tmpdir()): (id: string) => boolean {
  const failed = new Set([...ofPytest(root), ...ofVitest(root), ...ofJest(root, cacheFolder)]);
  return id => failed.has(id) || failed.has(id.split(' > ', 1)[0] ?? '');
}

/** The tests as the search for suspects sees them first: of those that fail, only the last failures. Null for no hint. */
export function lastFailuresOnly(
  tests: readonly TestResult[],
  failedLast: (id: string) => boolean,
): readonly TestResult[] | null {
  const others = tests.filter(({ id, outcome }) => outcome === 'failed' && !failedLast(id));
  const isHint = others.length > 0 && tests.some(({ id, outcome }) => outcome === 'failed' && failedLast(id));
  return isHint ? tests.map(test => (others.includes(test) ? { ...test, outcome: 'skipped' } : test)) : null;
}

/** Whether a test passed then, as pytest's cache says: it is known, and none of those that failed. */
export function passedLast(root: string): (id: string) => boolean {
  const nodeIds = new Set(
    z.array(z.string()).safeParse(read(root, '.pytest_cache/v/cache/nodeids')).data ?? [],
  );
  const failed = new Set(ofPytest(root));
  return id => nodeIds.has(id) && !failed.has(id);
}

function ofPytest(root: string): string[] {
  const parsed = z.record(z.string(), z.unknown()).safeParse(read(root, '.pytest_cache/v/cache/lastfailed'));
  return Object.keys(parsed.data ?? {});
}

const vitestSchema = z.object({
  results: z.array(z.tuple([z.string(), z.object({ failed: z.boolean() })])),
});

function ofVitest(root: string): string[] {
  const folder = 'node_modules/.vite/vitest';
  return entriesOf(root, folder).flatMap(name => {
    const { results = [] } = vitestSchema.safeParse(read(root, `${folder}/${name}/results.json`)).data ?? {};
    // The name of the vitest project precedes the path.
    return results.flatMap(([key, { failed }]) => (failed ? [key.slice(key.indexOf(':') + 1)] : []));
  });
}

const jestSchema = z.record(z.string(), z.tuple([z.number(), z.number()]));
const JEST_FAILED = 0;

function ofJest(root: string, cacheFolder: string): string[] {
  const cacheFolders = entriesOf(cacheFolder, '').filter(
    name => name.startsWith('jest_') && isOwn(join(cacheFolder, name)),
  );
  const caches = cacheFolders.flatMap(name => entriesOf(cacheFolder, name).map(file => `${name}/${file}`));
  return caches
    .filter(path => path.includes('perf-cache-'))
    .flatMap(path => Object.entries(jestSchema.safeParse(read(cacheFolder, path)).data ?? {}))
    .flatMap(([path, [state]]) =>
      state === JEST_FAILED && path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [],
    );
}

/** In a folder for temporary files, others may have left something. */
function isOwn(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function entriesOf(folder: string, path: string): string[] {
  return listUntrusted(folder, path, MAX_ENTRIES).map(({ name }) => name);
}

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 16 * 2 ** 20;

/** Undefined if there is no such file, or it holds no JSON. */
function read(folder: string, path: string): unknown {
  return parseJson(readUntrustedText(folder, path, MAX_BYTES));
}
