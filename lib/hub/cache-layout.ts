import { randomUUID } from 'node:crypto';
import { copyFile, readFile, readlink, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ensureDirectory } from '../files/ensure-directory.ts';

/** What the hub keeps, each kind with its own addresses. */
export type RepositoryKind = 'model' | 'dataset';

/**
 * The cache shared with Python's huggingface_hub: a folder per repository with the contents by hash
 * (blobs), the commits that names stand for (refs) and a tree of links for each commit (snapshots).
 * Source: https://huggingface.co/docs/huggingface_hub/guides/manage-cache
 */
export interface HubCache {
  readonly folder: string;
  blob(hash: string): string;
  snapshot(commit: string): string;
  lock(hash: string): string;
  /** The commit that was last fetched under this name; null if none was. */
  readRef(revision: string): Promise<string | null>;
  writeRef(revision: string, commit: string): Promise<void>;
  /** Puts a content into a snapshot. */
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
      const text = await readFile(ref(revision), 'utf8').catch(() => '');
      return COMMIT.test(text.trim()) ? text.trim() : null;
    },
    async writeRef(revision, commit) {
      if (revision === commit) return;
      await ensureDirectory(dirname(ref(revision)));
      const partial = `${ref(revision)}.${randomUUID()}.partial`;
      await writeFile(partial, commit);
      await rename(partial, ref(revision));
    },
    async link(commit, path, hash) {
      const pointer = join(snapshot(commit), ...path.split('/'));
      const target = relative(dirname(pointer), blob(hash));
      if ((await readlink(pointer).catch(() => null)) === target) return;
      await ensureDirectory(dirname(pointer));
      // A link is made beside the place and moved there, so that another process never finds none.
      const partial = `${pointer}.${randomUUID()}.partial`;
      // Windows makes links for some people only; Python's tools put a copy there as well.
      await symlink(target, partial).catch(() => copyFile(blob(hash), partial));
      await rename(partial, pointer);
    },
  };
}

const COMMIT = /^[0-9a-f]{40}$/;

/** Bytes of a file, through links; null if there is none. */
export async function fileSize(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}
