import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { fileNotReadable, optionRequired } from '../core/errors.ts';
import type { Execution, Sandbox } from '../core/ports.ts';
import { languages } from '../core/task.ts';
import { choice, flag, parseOptions, text } from '../options/option-checks.ts';
import { type Flag, runFlags } from '../options/run-flags.ts';
import { runOptionsSchema } from '../options/run-options.ts';

const { sandbox, timeout, memory, isolation, requireIsolation } = runOptionsSchema.shape;

export const execOptionsSchema = z.strictObject({
  code: text('the path of a file').optional(),
  tests: text('the path of a file').optional(),
  entryPoint: text('the name of a function').optional(),
  lang: choice(languages).default('python'),
  json: flag(),
  sandbox,
  timeout,
  memory,
  isolation,
  requireIsolation,
});
type Given = z.infer<typeof execOptionsSchema>;
export type ExecOptions = Given & {
  readonly code: string;
  readonly tests: string;
  readonly entryPoint: string;
};

export const execFlags: Readonly<Record<keyof ExecOptions, Flag>> = {
  code: { flags: '--code <file>', group: 'Data', about: 'the candidate' },
  tests: { flags: '--tests <file>', group: 'Data', about: 'the tests that decide' },
  entryPoint: { flags: '--entry-point <name>', group: 'Data', about: 'the function that the tests call' },
  lang: runFlags.lang,
  sandbox: runFlags.sandbox,
  timeout: runFlags.timeout,
  memory: runFlags.memory,
  isolation: runFlags.isolation,
  requireIsolation: runFlags.requireIsolation,
  json: { flags: '--json', group: 'Output', about: 'print the whole execution as one JSON object' },
};

/** @throws HefixError naming the option that is missing or wrong. */
export function parseExecOptions(given: Readonly<Record<string, unknown>>): ExecOptions {
  const { code, tests, entryPoint, ...rest } = parseOptions(execOptionsSchema, given);
  if (code === undefined) throw optionRequired('--code', 'exec');
  if (tests === undefined) throw optionRequired('--tests', 'exec');
  if (entryPoint === undefined) throw optionRequired('--entry-point', 'exec');
  return { ...rest, code, tests, entryPoint };
}

/** Judges a candidate's file by a file of tests. */
export async function exec(options: ExecOptions, sandbox: Sandbox, signal: AbortSignal): Promise<Execution> {
  const candidate = await readText('--code', options.code);
  const tests = await readText('--tests', options.tests);
  const { lang: language, entryPoint } = options;
  return await sandbox.execute({ language, candidate, tests, entryPoint }, signal);
}

async function readText(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw fileNotReadable(option, path, cause);
  }
}
