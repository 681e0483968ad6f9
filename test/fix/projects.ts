import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';

/** The small broken projects in fixtures/projects; their README explains `expected.json`. */
const projectsFolder = new URL('../../fixtures/projects/', import.meta.url).pathname;

const expectedSchema = z.strictObject({
  args: z.array(z.string()),
  outcome: z.enum(['repaired', 'not-repaired', 'nothing-to-repair', 'error']),
  function: z.string().optional(),
  note: z.string().optional(),
  setup: z.tuple([z.string()], z.string()).optional(),
  repair: z.array(z.strictObject({ file: z.string(), from: z.string(), to: z.string() })).optional(),
  flaky: z.array(z.string()).optional(),
});

export interface Project {
  readonly name: string;
  readonly folder: string;
  readonly expected: z.infer<typeof expectedSchema>;
}

export async function readProjects(): Promise<Project[]> {
  const entries = await readdir(projectsFolder, { withFileTypes: true });
  const names = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
  return await Promise.all(names.sort().map(readProject));
}

async function readProject(name: string): Promise<Project> {
  const folder = join(projectsFolder, name);
  const text = await readFile(join(folder, 'expected.json'), 'utf8');
  return { name, folder, expected: expectedSchema.parse(JSON.parse(text)) };
}

/** Does some work in a copy of a project, after its set-up. */
export async function inCopy(
  { folder, expected }: Project,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'hefix-project-'));
  try {
    await cp(folder, copy, { recursive: true });
    const [program, ...args] = expected.setup ?? [];
    if (program !== undefined) await execa(program, args, { cwd: copy });
    await work(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}
