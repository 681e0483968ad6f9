import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import open from 'open';
import type { OptionValues } from '../../options/option.ts';
import type { viewOptions } from '../../options/tables/command-options.ts';
import { recordsEmpty, recordsNotReadable } from '../results/errors.ts';
import { findRuns, manifestPath, readManifest } from '../results/manifest.ts';
import { createRecordIndex } from './record-index.ts';
import { viewerRoutes } from './routes.ts';
import { type Served, serve } from './serve.ts';

/** The default folder of runs, which the first run creates: the page waits for it. */
const defaultFolder = 'results';

/**
 * Serves runs on a local page until it is closed. @param paths results files and folders that contain some
 * @throws HefixError if there is nothing to show, a named file contains no records, or the port is in use.
 */
export async function view(
  paths: readonly string[],
  { port }: Pick<OptionValues<typeof viewOptions>, 'port'>,
): Promise<Served> {
  const shownPaths = paths.length === 0 ? [defaultFolder] : paths;
  const missing = paths.find(path => !existsSync(path) && basename(resolve(path)) !== defaultFolder);
  if (missing !== undefined) throw recordsNotReadable(missing, new Error('no such file or folder'));
  for (const { path } of await findRuns(shownPaths)) {
    if (shownPaths.includes(path)) await checkFile(path);
  }
  const title = shownPaths.map(path => basename(resolve(path))).join(', ');
  return await serve(
    viewerRoutes(title, () => findRuns(shownPaths)),
    port,
  );
}

/** Opens a URL in the person's browser; failure is not an error, since the URL was printed. */
export async function openBrowser(address: string): Promise<void> {
  const browser = await open(address).catch(() => null);
  browser?.on('error', () => {});
}

/** In a folder, files of other formats are reported on the page; a file that was named must be valid. */
async function checkFile(path: string): Promise<void> {
  await readManifest(manifestPath(path));
  const index = createRecordIndex(path);
  const { rows, large, inProgress } = await index.rows(0, 0);
  const fault = index.fault();
  if (fault !== null) throw fault;
  if (rows.length === 0 && large === null && !inProgress) throw recordsEmpty(path, inProgress);
}
