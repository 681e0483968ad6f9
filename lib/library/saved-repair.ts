import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../files/parse-json.ts';
import type { FixOptions, ProjectSnapshot } from '../fix/options.ts';
import { locateProject } from '../fix/project/locate.ts';
import { listProject } from '../fix/project/snapshot.ts';
import { stateNotWritable } from '../run/errors.ts';

/** The file of `--save-state`, with the state of an interrupted repair. */
export interface SavedRepair {
  /** The state to go on from; undefined if there is none. */
  readonly snapshot: ProjectSnapshot | undefined;
  /** Writes a state synchronously. @throws HefixError (`STATE_NOT_WRITABLE`) */
  write(snapshot: ProjectSnapshot): void;
  remove(): void;
}

/** 3: other candidates are kept for the question. */
const FORMAT = 3;

const fileSchema = z.object({
  format: z.literal(FORMAT),
  identity: z.string(),
  snapshot: z.looseObject({ status: z.literal('active') }),
});

/**
 * Opens the file. A state is resumed only with the same options, on the same files of the project.
 * @throws HefixError `TARGET_NOT_FOUND`, `TARGET_UNSUPPORTED`, `PROJECT_TOO_LARGE`
 */
export function openSavedRepair(
  path: string,
  options: FixOptions,
  warn: (sentence: string) => void,
): SavedRepair {
  const identity = identityOf(options);
  const found = existsSync(path) ? fileSchema.safeParse(parseJson(readFileSync(path, 'utf8'))) : null;
  const isOwn = found?.data?.identity === identity;
  if (found && !isOwn) warn(`Ignoring the state in ${path}: it is not of this project with these options.`);
  return {
    snapshot: isOwn ? (found.data?.snapshot as unknown as ProjectSnapshot) : undefined,
    write(snapshot) {
      try {
        writeFileSync(`${path}.tmp`, JSON.stringify({ format: FORMAT, identity, snapshot }));
        renameSync(`${path}.tmp`, path);
      } catch (cause) {
        throw stateNotWritable(path, cause);
      }
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** A hash of the options, without the time that is left, and of all files that are copied. */
function identityOf({ env: _, time: __, ...options }: FixOptions): string {
  const { root, only } = locateProject(options);
  const hash = createHash('sha256').update(JSON.stringify(options));
  for (const file of listProject(root, only).files)
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}
