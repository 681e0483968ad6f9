import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sumOf } from '../../core/numbers.ts';
import { filesBelow } from '../../files/files-below.ts';
import { hubCache } from '../../files/hub/cache-layout.ts';
import { readHubSettings } from '../../files/hub/hub-settings.ts';
import { cacheFolder } from '../../files/own-cache.ts';
import { displayName } from './weight-source.ts';

/** Files on this system that hefix built or downloaded, and can build or download again. */
export interface StoredModel {
  readonly kind: 'built' | 'downloaded';
  /** Hub id, or name of the folder or GGUF file that a graph was built from, as far as file names can hold it. */
  readonly name: string;
  readonly folder: string;
  readonly bytes: number;
}

/** Graphs in hefix's cache, those of older versions too, which did not hash the source's path (`builtFolderPath`). */
export async function listBuilt(env = process.env): Promise<StoredModel[]> {
  const models = join(cacheFolder(env), 'models');
  const names = await readdir(models).catch(() => []);
  const built = names.sort().flatMap(entry => {
    const name = /^(.+?)(?:-[0-9a-f]{8})?-[0-9a-f]{16}$/.exec(entry)?.[1];
    return name === undefined ? [] : [{ name: name.replace('--', '/'), folder: join(models, entry) }];
  });
  return await Promise.all(
    built.map(async one => ({ kind: 'built' as const, ...one, bytes: await bytesBelow(one.folder) })),
  );
}

/** The graphs of `all` that were built from a model: a hub id, an Ollama name, or the name of a folder or file. */
export function builtFrom(all: readonly StoredModel[], model: string): StoredModel[] {
  const name = displayName({ kind: 'gguf', path: '', name: model.replace('/', '--') }).replace('--', '/');
  return all.filter(built => built.name === name);
}

/** The files of a model in the cache that Python's tools share; null without any. */
export async function findDownloaded(id: string, env = process.env): Promise<StoredModel | null> {
  const { folder } = hubCache((await readHubSettings(env)).cacheFolder, 'model', id);
  const bytes = await bytesBelow(folder);
  return bytes === 0 ? null : { kind: 'downloaded', name: id, folder, bytes };
}

export async function removeStored({ folder }: StoredModel): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** A snapshot's files are links to contents, which are counted once. */
async function bytesBelow(folder: string): Promise<number> {
  return sumOf(await filesBelow(folder), ({ size }) => size);
}
