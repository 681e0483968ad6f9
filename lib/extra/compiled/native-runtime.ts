import { chmodSync, realpathSync, statSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programFiles } from '../../sandbox/isolation/programs.ts';
import { createProgramFolder } from '../../sandbox/isolation/work-folder.ts';
import type { Program, RuntimeFiles } from './toolchain.ts';

/** Where candidates and judges are kept, apart from each other, so that a candidate cannot see the tests. */
export interface KeptPrograms {
  readonly candidates: ProgramFiles;
  readonly judges: ProgramFiles;
  close(): Promise<void>;
}

export function createKeptPrograms(): KeptPrograms {
  const [candidates, judges] = [createProgramFiles(), createProgramFiles()];
  return {
    candidates,
    judges,
    async close() {
      await Promise.all([candidates.close(), judges.close()]);
    },
  };
}

/** What programs in machine code need: the system's dynamic loader and libraries, which this process uses as well. */
export function nativeRuntime(
  { candidates, judges }: KeptPrograms,
  programs: readonly string[] = [],
): RuntimeFiles {
  const [, ...shared] = programFiles(process.execPath);
  const loaders = shared.filter(
    path => /\.so/.test(path) && !path.endsWith('.cache') && statSync(path).isFile(),
  );
  return {
    candidates: candidates.folder,
    judges: judges.folder,
    readable: shared,
    executable: [...loaders, ...programs],
  };
}

/**
 * Where built programs are kept until they are no longer needed. Names are reused, so that a long run does
 * not use new paths for each candidate.
 */
export interface ProgramFiles {
  readonly folder: string;
  /** `command` starts a program that reads the file; without it, the file is the program. */
  add(contents: Buffer, command?: (path: string) => readonly string[]): Promise<Program>;
  close(): Promise<void>;
}

function createProgramFiles(): ProgramFiles {
  const folder = createProgramFolder();
  // Candidates may run as another user.
  chmodSync(folder.path, 0o755);
  const path = realpathSync(folder.path);
  const free: string[] = [];
  let count = 0;
  return {
    folder: path,
    async add(contents, command) {
      const file = free.pop() ?? join(path, String(count++));
      // A process that still runs under this name keeps its own file.
      await writeFile(`${file}.new`, contents);
      await chmod(`${file}.new`, command ? 0o644 : 0o755);
      await rename(`${file}.new`, file);
      let removed = false;
      return {
        argv: command?.(file) ?? [file],
        readable: command ? [file] : [],
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
