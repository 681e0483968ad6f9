import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa, type Options } from 'execa';
import { vi } from 'vitest';
import { main } from '../../lib/cli/main.ts';
import { packageFile } from '../../lib/files/package.ts';

/** Runs the compiled command line as a user does; never rejects because of its exit code. */
export function hefix(args: readonly string[], options: Options = {}) {
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env };
  return execa(process.execPath, [packageFile('dist/bin/hefix.js'), ...args], {
    // A killed process may take its time to end cleanly on a busy machine.
    forceKillAfterDelay: false,
    ...options,
    reject: false,
    env,
  });
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HereOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborting it has the effect of Ctrl-C. */
  readonly signal?: AbortSignal;
  /** Receives all that is written, when it is written. */
  readonly onWrite?: (text: string) => void;
}

/**
 * Runs the command line in this process, from its sources: much faster than a separate process, for tests
 * that need neither signals nor a terminal.
 */
export async function hefixHere(
  args: readonly string[],
  { cwd, env = {}, signal = new AbortController().signal, onWrite = () => {} }: HereOptions = {},
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const into = (name: keyof typeof written) => (chunk: unknown) => {
    written[name] += chunk;
    onWrite(String(chunk));
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('stderr')),
    // cac prints help with it.
    vi.spyOn(console, 'info').mockImplementation(line => into('stdout')(`${line}\n`)),
  ];
  const before = { cwd: process.cwd(), env: { ...process.env } };
  setEnvironment({ ...before.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env });
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const exitCode = await main(args, signal);
    const [stdout, stderr] = [written.stdout, written.stderr].map(text => text.replace(/\n$/, ''));
    return { exitCode, stdout: stdout ?? '', stderr: stderr ?? '' };
  } finally {
    process.chdir(before.cwd);
    setEnvironment(before.env);
    for (const spy of spies) spy.mockRestore();
  }
}

function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of new Set([...Object.keys(process.env), ...Object.keys(env)])) {
    const value = env[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** A dataset of tiny tasks `small/0` … and a script that solves each with the first repair. */
export async function writeSmallSet(
  folder: string,
  count: number,
): Promise<{ dataset: string; script: string }> {
  const all = Array.from({ length: count }, (_, index) => smallTask(index));
  const dataset = join(folder, 'small.jsonl');
  const script = join(folder, 'script.jsonl');
  await writeFile(dataset, lines(all.map(({ row }) => row)));
  await writeFile(script, lines(all.map(({ answers }) => answers)));
  return { dataset, script };
}

function smallTask(index: number) {
  const declaration = `def plus_${index}(x):\n`;
  const program = (body: string) => `\`\`\`python\n${declaration}    return ${body}\n\`\`\``;
  return {
    row: {
      task_id: `small/${index}`,
      declaration,
      docstring: `Gives x plus ${index}.`,
      canonical_solution: `    return x + ${index}\n`,
      buggy_solution: `    return x - ${index} - 1\n`,
      entry_point: `plus_${index}`,
      test: `assert plus_${index}(1) == ${index + 1}\nassert plus_${index}(-${index}) == 0\n`,
      bug_type: 'operator misuse',
    },
    answers: {
      when: `def plus_${index}(`,
      completions: [program(`x * ${index} - 7`), program(`x + ${index}`)],
    },
  };
}

function lines(values: readonly unknown[]): string {
  return values.map(value => `${JSON.stringify(value)}\n`).join('');
}
