import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startsPrograms } from '../../lib/sandbox/isolation/work-folder.ts';

/** A new folder that is removed with the test. */
export async function temporaryFolder(place = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(place, 'hefix-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The same, where programs can be started: the folder for temporary files may be mounted with `noexec`. */
export async function programFolder(): Promise<string> {
  return await temporaryFolder([tmpdir(), '/var/tmp', homedir()].find(hasPrograms));
}

function hasPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'hefix-test-'));
  try {
    return startsPrograms(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
