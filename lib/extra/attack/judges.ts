import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { HefixError } from '../../core/errors.ts';
import type { Sandbox } from '../../core/ports.ts';
import { fileEndings } from '../../core/task.ts';
import { createWorkFolder } from '../../sandbox/isolation/work-folder.ts';
import { killGroup } from '../../sandbox/process/started-process.ts';
import type { AttackCase } from './attack-cases.ts';
import type { Judgement } from './attack-report.ts';

export type AttackJudge = (one: AttackCase, signal: AbortSignal) => Promise<Judgement>;

/** hefix's own sandbox. */
export function sandboxJudge(sandbox: Pick<Sandbox, 'execute'>): AttackJudge {
  return async ({ language, code: candidate, tests, entryPoint, declaration }, signal) => {
    try {
      const { verdict, judge } = await sandbox.execute(
        { language, candidate, tests, entryPoint, declaration },
        signal,
      );
      const { kind, message } = verdict;
      const isProven = judge !== 'isolated';
      if (kind === 'passed') return { result: 'passed', isProven, message };
      return { result: 'failed', isProven, message: `${kind}: ${message}` };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HefixError)) throw error;
      return { result: error.code === 'TESTS_INVALID' ? 'refused' : 'none', message: error.message };
    }
  };
}

/**
 * Another judge: a shell command in which {code}, {tests}, {entry_point} and {language} are replaced. Exit
 * code 0 means that the program passed. After `timeoutSeconds` it is killed, which counts as a failure.
 */
export function commandJudge(command: string, timeoutSeconds: number): AttackJudge {
  return async ({ language, code, tests, entryPoint }, signal) => {
    const work = createWorkFolder(null);
    const folder = work.path;
    const extension = fileEndings[language];
    const files = { code: join(folder, `candidate.${extension}`), tests: join(folder, `tests.${extension}`) };
    try {
      await writeFile(files.code, code);
      await writeFile(files.tests, tests);
      const substitutions: Readonly<Record<string, string>> = { ...files, entry_point: entryPoint, language };
      const line = command.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
        const word = substitutions[name];
        return word === undefined ? whole : `'${word.replaceAll("'", "'\\''")}'`;
      });
      return await runToEnd(line, folder, timeoutSeconds, signal);
    } finally {
      await work.remove();
    }
  };
}

async function runToEnd(
  line: string,
  cwd: string,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<Judgement> {
  const child = execa(line, { cwd, shell: true, detached: true, stdio: 'ignore', reject: false });
  // execa kills only the shell; this also kills the processes that it started.
  const end = () => child.pid !== undefined && killGroup(child.pid);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, timeoutSeconds * 1000);
  signal.addEventListener('abort', end, { once: true });
  const { exitCode, signal: killedBy, cause } = await child;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  end();
  signal.throwIfAborted();
  if (child.pid === undefined) throw cause;
  if (isLate) return { result: 'failed', message: `it took more than ${timeoutSeconds} seconds` };
  return {
    result: exitCode === 0 ? 'passed' : 'failed',
    message: exitCode === undefined ? `ended by ${killedBy}` : `exit code ${exitCode}`,
  };
}
