import { copyFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ensureDirectory } from '../ensure-directory.ts';
import { readRegularText } from '../untrusted-file.ts';
import { removeLeftovers, temporaryName } from '../write-file-atomic.ts';

/** Kinds of repositories on the hub, each with its own URLs. */
export type RepositoryKind = 'model' | 'dataset';

/**
 * The cache shared with Python's huggingface_hub: one folder per repository with contents by hash (blobs),
 * commits by name (refs), and a tree of links per commit (snapshots). Source:
 * https://huggingface.co/docs/huggingface_hub/guides/manage-cache
 */
export interface HubCache {
  readonly folder: string;
  blob(hash: string): string;
  snapshot(commit: string): string;
  lock(hash: string): string;
  /** The commit last fetched for this revision; null if there is none. */
  readRef(revision: string): Promise<string | null>;
  writeRef(revision: string, commit: string): Promise<void>;
  /** Adds a blob to a snapshot. */
  link(commit: string, path: string, hash: string): Promise<void>;
}

export function hubCache(cacheFolder: string, kind: RepositoryKind, id: string): HubCache {
  const name = `${kind}s--${id.replaceAll('/', '--')}`;
  const folder = join(cacheFolder, name);
  const blob = (hash: string): string => join(folder, 'blobs', hash);
  const snapshot = (commit: string): string => join(folder, 'snapshots', commit);
  const ref = (revision: string): string => join(folder, 'refs', ...revision.split('/'));
  return {
    folder,
    blob,
    snapshot,
    lock: hash => join(cacheFolder, '.locks', name, `${hash}.hefix.lock`),
    async readRef(revision) {
      if (COMMIT.test(revision)) return revision;
      const text = await readRegularText(ref(revision), 2 ** 12).catch(() => '');
      return COMMIT.test(text.trim()) ? text.trim() : null;
    },
    async writeRef(revision, commit) {
      if (revision === commit) return;
      await ensureDirectory(dirname(ref(revision)));
      await removeLeftovers(dirname(ref(revision)));
      const partial = temporaryName(ref(revision));
      await writeFile(partial, commit);
      await rename(partial, ref(revision));
    },
    async link(commit, path, hash) {
      const pointer = join(snapshot(commit), ...path.split('/'));
      const target = relative(dirname(pointer), blob(hash));
      if ((await readlink(pointer).catch(() => null)) === target) return;
      await ensureDirectory(dirname(pointer));
      // The link is created next to its destination and then moved, so that other processes never see it
      // missing.
      await removeLeftovers(dirname(pointer));
      const partial = temporaryName(pointer);
      // Not every Windows user may create links; Python's tools fall back to a copy too.
      await symlink(target, partial).catch(() => copyFile(blob(hash), partial));
      await rename(partial, pointer);
    },
  };
}

const COMMIT = /^[0-9a-f]{40}$/;

/** Size of a file in bytes, following links; null if it does not exist. */
export async function fileSize(path: string): Promise<number | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? stats.size : null;
}
