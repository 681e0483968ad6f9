import { chmodSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorkFolder } from '../isolation/work-folder.ts';

/**
 * Where built programs are kept until they are no longer needed. Names are reused, so that a long run does
 * not use new paths for each candidate.
 */
export interface ProgramFiles {
  add(contents: Buffer, mode?: number): Promise<{ readonly path: string; remove(): Promise<void> }>;
  close(): Promise<void>;
}

export function createProgramFiles(): ProgramFiles {
  const folder = createWorkFolder(null);
  // Candidates may run as another user.
  chmodSync(folder.path, 0o711);
  const free: string[] = [];
  let count = 0;
  return {
    async add(contents, mode = 0o755) {
      const path = free.pop() ?? join(folder.path, String(count++));
      // A process that still runs under this name keeps its own file.
      await writeFile(`${path}.new`, contents, { mode });
      await rename(`${path}.new`, path);
      let removed = false;
      return {
        path,
        async remove() {
          if (removed) return;
          removed = true;
          await rm(path, { force: true });
          free.push(path);
        },
      };
    },
    close: folder.remove,
  };
}
