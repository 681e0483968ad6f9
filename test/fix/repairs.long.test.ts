import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, it, vi } from 'vitest';
import { packageFile } from '../../lib/files/package-root.ts';
import { inCopy, type Project, readProjects } from './projects.ts';

const program = packageFile('dist/bin/hefix.js');
const projects = await readProjects();
vi.setConfig({ testTimeout: 300_000 });

/** All projects that need no repair, and every third of the others: `fixtures/projects/measure.mjs` repairs them all. */
function isSampled({ expected }: Project, index: number): boolean {
  return expected.outcome !== 'repaired' || index % 3 === 0;
}

/** Whether a repair is found depends on the model and the time; every other outcome is fixed. */
it.for(projects.filter(isSampled))(
  '$name has the expected outcome and leaves the project unchanged',
  async project => {
    await inCopy(project, async folder => {
      const before = await contentOf(folder);
      // A test that never ends takes its whole time limit in every run.
      const seconds = project.name.includes('endless') ? '12' : '3';
      const args = ['fix', ...project.expected.args, '--json', '--quiet', '--time', seconds];
      const { stdout, exitCode } = await execa('node', [program, ...args], { cwd: folder, reject: false });
      const outcome = exitCode === 2 ? 'error' : String(JSON.parse(stdout).outcome);
      const isFound = project.expected.outcome === 'repaired';
      expect(isFound ? ['repaired', 'partly', 'not-repaired'] : [project.expected.outcome]).toContain(
        outcome,
      );
      expect(await contentOf(folder)).toBe(before);
    });
  },
);

it('leaves the project unchanged when interrupted at any time', async () => {
  const project = projects.find(({ name }) => name === 'leap-year');
  if (!project) throw new Error('leap-year is missing');
  for (const milliseconds of [50, 400, 1200, 2500, 4000]) {
    await inCopy(project, async folder => {
      const before = await contentOf(folder);
      const args = ['fix', ...project.expected.args];
      const running = execa('node', [program, ...args], { cwd: folder, reject: false });
      await wait(milliseconds);
      running.kill('SIGINT');
      await running;
      expect(await contentOf(folder)).toBe(before);
    });
  }
});

it('--write and git apply give the same files', async () => {
  const project = projects.find(({ name }) => name === 'crlf-lines');
  if (!project) throw new Error('crlf-lines is missing');
  await inCopy(project, async written => {
    await inCopy(project, async patched => {
      const patch = join(tmpdir(), `hefix-${process.pid}.patch`);
      const args = ['fix', ...project.expected.args, '--write', '--patch', patch, '--time', '200'];
      await execa('node', [program, ...args], { cwd: written });
      await execa('git', ['apply', patch], { cwd: patched });
      expect(await contentOf(patched)).toBe(await contentOf(written));
      await rm(patch);
    });
  });
});

/** One hash of all names and contents. */
async function contentOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) hash.update(file.slice(folder.length)).update(await readFile(file));
  return hash.digest('hex');
}
