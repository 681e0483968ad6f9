import { readFile } from 'node:fs/promises';
import type { Execution, Sandbox } from '../../core/ports.ts';
import { fileNotReadable } from '../../files/errors.ts';
import type { ExecOptions } from '../../options/tables/command-options.ts';

/** Judges a file with a candidate by a file with tests. */
export async function exec(options: ExecOptions, sandbox: Sandbox, signal: AbortSignal): Promise<Execution> {
  const candidate = await readText('--code', options.code);
  const tests = await readText('--tests', options.tests);
  const { lang: language, entryPoint, judge } = options;
  const reference = options.reference && (await readText('--reference', options.reference));
  const declaration = reference && (await kindsIn(reference, options));
  return await sandbox.execute(
    {
      language,
      candidate,
      tests,
      entryPoint,
      judge,
      reference,
      counts: true,
      ...(declaration && { declaration }),
    },
    signal,
  );
}

/** Loads the parser only where there is a program to read. */
async function kindsIn(reference: string, { lang, entryPoint }: ExecOptions): Promise<string | undefined> {
  const { declaredKinds } = await import('../../sandbox/python/host/declared-kinds.ts');
  return await declaredKinds(lang, reference, entryPoint);
}

async function readText(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw fileNotReadable(option, path, cause);
  }
}
