import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder that is removed with the test. */
export async function temporaryFolder(place = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(place, 'hefix-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The same, where programs can be started: the folder for temporary files may be mounted with `noexec`. */
export async function programFolder(): Promise<string> {
  return await temporaryFolder([tmpdir(), '/var/tmp', homedir()].find(startsPrograms));
}

function startsPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'hefix-test-'));
  const file = join(folder, 'program');
  writeFileSync(file, '');
  chmodSync(file, 0o700);
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
