import { chmodSync, realpathSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkFolder } from '../isolation/work-folder.ts';

/**
 * Where built programs are kept until they are no longer needed. Names are reused, so that a long run does
 * not use new paths for each candidate.
 */
export interface ProgramFiles {
  readonly folder: string;
  add(contents: Buffer, mode?: number): Promise<{ readonly path: string; remove(): Promise<void> }>;
  close(): Promise<void>;
}

export function createProgramFiles(): ProgramFiles {
  const folder = createWorkFolder(null);
  // Candidates may run as another user.
  chmodSync(folder.path, 0o755);
  const path = realpathSync(folder.path);
  const free: string[] = [];
  let count = 0;
  return {
    folder: path,
    async add(contents, mode = 0o755) {
      const file = free.pop() ?? join(path, String(count++));
      // A process that still runs under this name keeps its own file.
      await writeFile(`${file}.new`, contents, { mode });
      await rename(`${file}.new`, file);
      let removed = false;
      return {
        path: file,
        async remove() {
          if (removed) return;
          removed = true;
          await rm(file, { force: true });
          free.push(file);
        },
      };
    },
    close: folder.remove,
  };
}
