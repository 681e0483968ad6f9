import { execa } from 'execa';
import { z } from 'zod';
import { interpreterUnusable, pythonTooOld } from '../../core/errors.ts';
import type { IsolationLevel } from '../../core/verdict.ts';
import type { Jail } from '../../sandbox/isolation/isolation.ts';
import { type JailOptions, testJail } from './test-jail.ts';

/** How the project's interpreter is started in a jail. */
export interface JailedPython {
  readonly isolation: IsolationLevel;
  readonly warning: string | null;
  /** The test framework: `pytest 9.2.0` or `unittest`. */
  readonly framework: string;
  command(words: readonly string[]): Jail;
}

const aboutSchema = z.object({
  executable: z.string().min(1),
  version: z.tuple([z.number(), z.number()]),
  pytest: z.string().nullable(),
});

const about = `import json, sys
try:
    from importlib.metadata import version
    pytest = version('pytest')
except Exception:
    pytest = None
print(json.dumps({'executable': sys.executable, 'version': sys.version_info[:2], 'pytest': pytest}))`;

/**
 * @param python name or path of the interpreter
 * @throws HefixError (`INTERPRETER_UNUSABLE`, `PYTHON_TOO_OLD`, `ISOLATION_UNAVAILABLE`,
 * `ISOLATION_TOO_WEAK`)
 */
export async function jailedPython(python: string, options: JailOptions): Promise<JailedPython> {
  const { executable, version, pytest } = await describe(python);
  if (version[0] < 3 || (version[0] === 3 && version[1] < 9)) throw pythonTooOld(python, version.join('.'));
  const { isolation, limits, ...programs } = await testJail(executable, options);
  const started = programs.executable([executable]);
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    framework: pytest === null ? 'unittest' : `pytest ${pytest}`,
    command(words) {
      const argv = [executable, '-I', ...words];
      const jail =
        started.length === 0
          ? isolation.command(argv, limits)
          : isolation.compiler(argv, { readable: words, executable: started }, limits);
      return programs.finding(jail, [executable]);
    },
  };
}

async function describe(python: string): Promise<z.infer<typeof aboutSchema>> {
  try {
    const { stdout } = await execa(python, ['-I', '-c', about], { timeout: 30_000, stdin: 'ignore' });
    return aboutSchema.parse(JSON.parse(stdout));
  } catch (cause) {
    throw interpreterUnusable(python, cause);
  }
}
