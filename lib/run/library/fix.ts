import type { FixEvent } from '../../fix/report.ts';
import type { OptionValues } from '../../options/option.ts';
import { fixModelOptions, type fixOptions, parseFixOptions } from '../../options/tables/fix-options.ts';
import { type FixResult, fixProject } from './fix-project.ts';

export type FixInput = Partial<OptionValues<typeof fixOptions>> & {
  /** The project's folder; defaults to the current one. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: FixEvent) => void;
  /** Called with whole sentences. */
  readonly onWarning?: (sentence: string) => void;
};

/**
 * Repairs a project of your own, in a copy: runs its tests, ranks its functions by how suspicious they are and tries
 * candidates. `target` is a file, `file::function` or a folder. No source file is written unless `write` is set; the
 * options are those of `hefix fix`.
 *
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { fix } from 'hefix';
 *
 * await writeFile('stats.py', 'def double(x):\n    """\n    >>> double(4)\n    8\n    """\n    return x + 2\n');
 * const { report, diff } = await fix('stats.py');
 * console.log(report.outcome, diff.toString());
 * ```
 *
 * @throws HefixError one of the OPTION_ errors, and those of the project, its tests, model and sandbox.
 */
export async function fix(target?: string, input: FixInput = {}): Promise<FixResult> {
  const { cwd = process.cwd(), signal = new AbortController().signal, ...rest } = input;
  const { onEvent = () => {}, onWarning = () => {}, ...options } = rest;
  return await fixProject(target, parseFixOptions(options), {
    modelOptions: fixModelOptions(options),
    cwd,
    env: process.env,
    onEvent,
    warn: onWarning,
    signal,
  });
}
