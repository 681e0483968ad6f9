import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listUntrusted, readUntrusted, readUntrustedText } from '../../files/untrusted-file.ts';

/** The history of a project in its copy, for tests that ask git: its commits, and no settings, hooks or remotes. */

/** What runs git, or reads its folder. */
const ASKS =
  /(['"`])git(?:['"`]|\s+[a-z-]+)|\bsetuptools_scm\b|^[ \t]*(?:import|from) (?:git|dulwich|pygit2)\b|\b(?:simple-git|isomorphic-git)\b/m;

export function asksForHistory(sources: ReadonlyMap<string, Buffer>): boolean {
  return [...sources.values()].some(bytes => ASKS.test(bytes.toString('latin1')));
}

const MAX_BYTES = 50 * 2 ** 20;
const MAX_FILES = 5000;
const PARTS = /^(?:HEAD|index|shallow|packed-refs|refs|objects)$/;

/** Nothing is copied of a history that is too large, or lies elsewhere. */
export function copyHistory(root: string, copy: string): void {
  if (lstatSync(join(root, '.git'), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  const files = filesIn(root, '.git', PARTS);
  if (files === null) return;
  const contents: (readonly [path: string, bytes: Buffer])[] = [];
  let left = MAX_BYTES;
  for (const path of files) {
    const bytes = readUntrusted(root, path, left);
    if (bytes === null) return;
    left -= bytes.length;
    contents.push([path, bytes]);
  }
  // The formats of objects and references, which decide whether git can read them.
  const formats = /^[ \t]*(?:repositoryformatversion|objectformat|refstorage)[ \t]*=[ \t]*\w+/gim;
  const [version = 'repositoryformatversion = 0', ...extensions] =
    readUntrustedText(root, '.git/config').match(formats) ?? [];
  const config = [
    '[core]',
    version,
    'bare = false',
    ...(extensions.length > 0 ? ['[extensions]', ...extensions] : []),
  ];
  for (const [path, bytes] of [
    ...contents,
    ['.git/config', Buffer.from(`${config.join('\n')}\n`)] as const,
  ]) {
    const target = join(copy, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    writeFileSync(target, bytes);
    chmodSync(target, 0o644);
  }
  for (const folder of ['refs/heads', 'refs/tags', 'objects/info'])
    mkdirSync(join(copy, '.git', folder), { recursive: true, mode: 0o755 });
}

/** Null for too many. */
function filesIn(root: string, folder: string, wanted: RegExp | null): string[] | null {
  const paths: string[] = [];
  for (const entry of listUntrusted(root, folder, MAX_FILES + 1)) {
    const path = `${folder}/${entry.name}`;
    if (wanted && !wanted.test(entry.name)) continue;
    if (entry.isFile()) paths.push(path);
    const below = entry.isDirectory() ? filesIn(root, path, null) : [];
    if (below === null || paths.length + below.length > MAX_FILES) return null;
    paths.push(...below);
  }
  return paths;
}
