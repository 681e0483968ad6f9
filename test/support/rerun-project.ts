import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { TestReport } from '../../lib/core/project-tests.ts';
import { type OpenProject, openProject } from '../../lib/fix/project/open-project.ts';
import type { Runner, RunRequest } from '../../lib/fix/runners/runner.ts';
import { projectOptions } from './project-options.ts';

export interface RerunProject {
  /** @param packages the folder that `node_modules` leads to */
  start(files: Readonly<Record<string, string>>, packages: string): Promise<void>;
  /** Runs tests with one file changed; all of them if `only` is null. */
  run(
    path: string,
    text: string,
    only: readonly string[] | null,
    seconds: number,
    more?: Pick<RunRequest, 'apart' | 'cpuSeconds'>,
  ): Promise<TestReport>;
}

/** For each test of a file, a project in a new folder, of which one runner runs the tests again and again. */
export function rerunProject(): RerunProject {
  let folder: string;
  let project: OpenProject | undefined;
  let runner: Runner | undefined;
  const { signal } = new AbortController();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hefix-rerun-'));
  });
  afterEach(async () => {
    await runner?.close();
    await project?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    async start(files, packages) {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      symlinkSync(packages, join(folder, 'node_modules'));
      project = await openProject(projectOptions(folder, [packages]), signal);
      runner = project.startRunner();
    },
    async run(path, text, only, seconds, more) {
      if (!runner) throw new Error('The project was not started.');
      const files = new Map([[path, Buffer.from(text)]]);
      return await runner.run({ files, only, trace: false, stop: false, seconds, ...more }, signal);
    },
  };
}
