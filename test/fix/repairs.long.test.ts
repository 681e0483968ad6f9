import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packageFile } from '../../lib/files/package.ts';
import { inCopy, type Project, readProjects } from './projects.ts';

const program = packageFile('dist/bin/hefix.js');
const projects = await readProjects();

/** All projects that need no repair, and every twelfth of the others: `fixtures/projects/measure.mjs` repairs them all. */
function isSampled({ expected }: Project, index: number): boolean {
  return expected.outcome !== 'repaired' || index % 12 === 0;
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
      const { stdout } = await execa('node', [program, ...args], { cwd: folder, reject: false });
      const outcome = stdout === '' ? 'error' : String(JSON.parse(stdout).outcome);
      const isFound = project.expected.outcome === 'repaired';
      expect(
        isFound ? ['repaired', 'unsure', 'partly', 'not-repaired'] : [project.expected.outcome],
      ).toContain(outcome);
      expect(await contentOf(folder)).toBe(before);
    });
  },
);

const named = (name: string): Project => {
  const project = projects.find(each => each.name === name);
  if (!project) throw new Error(`${name} is missing`);
  return project;
};

it('Ctrl-C at any moment leaves the project unchanged, even with --write', async () => {
  const project = named('leap-year');
  const args = ['fix', ...project.expected.args, '--write', '--backup', '--no-rank'];
  const started = performance.now();
  let repaired = '';
  await inCopy(project, async folder => {
    await execa('node', [program, ...args], { cwd: folder });
    repaired = await contentOf(folder);
  });
  const whole = Math.ceil(performance.now() - started);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole }), async milliseconds => {
      await inCopy(project, async folder => {
        const before = await contentOf(folder);
        const running = execa('node', [program, ...args], { cwd: folder, reject: false });
        await wait(milliseconds);
        running.kill('SIGINT');
        await running;
        // It may have been repaired before the signal came; nothing in between, and no temporary file.
        expect([before, repaired]).toContain(await contentOf(folder));
      });
    }),
    { numRuns: 4, examples: [[50], [whole - 300]], endOnFailure: true },
  );
});

it.for(['crlf-lines', 'latin-1-source'])('--write and git apply give the same files: %s', async name => {
  const project = named(name);
  await inCopy(project, async written => {
    await inCopy(project, async patched => {
      const patch = join(tmpdir(), `hefix-${process.pid}.patch`);
      const args = [
        'fix',
        ...project.expected.args,
        '--no-rank',
        '--time',
        '200',
        '--write',
        '--patch',
        patch,
      ];
      await execa('node', [program, ...args], { cwd: written });
      await execa('git', ['apply', patch], { cwd: patched });
      await rm(patch);
      expect(await contentOf(patched)).toBe(await contentOf(written));
      await inCopy(project, async original =>
        expect(await contentOf(original)).not.toBe(await contentOf(written)),
      );
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
