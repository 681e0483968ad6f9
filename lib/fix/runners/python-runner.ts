import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import type { IsolationLevel } from '../../core/verdict.ts';
import { packageFile } from '../../files/package.ts';
import { pythonNotCPython, pythonTooOld } from '../../sandbox/errors.ts';
import type { Jail } from '../../sandbox/isolation/isolation.ts';
import { findOnPath } from '../../sandbox/isolation/programs.ts';
import { preparePython } from '../../sandbox/python/host/python-programs.ts';
import { interpreterUnusable } from '../errors.ts';
import { isEnvironment, type ProjectPython, projectPython } from '../project/project-python.ts';
import type { Runner, TestPlan } from './runner.ts';
import { createServedRunner } from './served-runner.ts';
import { hostPython, type JailOptions, testJail } from './test-jail.ts';

export interface PythonRunnerInput {
  readonly jails: JailedPython;
  /** The copy of the project; absolute. */
  readonly project: string;
  /** Folders that modules are imported from, relative to the copy. */
  readonly paths: readonly string[];
  readonly plan: TestPlan;
  /** Whether pytest, if it is installed, finds the tests instead, as the project's configuration says. */
  readonly isWhole: boolean;
  /** Limit on a run of all tests, in seconds, unless that of one test allows more. */
  readonly time: number;
}

/** Runs Python tests with lib/fix/python/runner.py. */
export function createPythonRunner(input: PythonRunnerInput): Runner {
  const { jails, project, paths, plan, isWhole, time } = input;
  const folder = packageFile('lib/fix/python');
  const confine = packageFile('lib/sandbox/python/programs/jail');
  const { tests, doctest, sources, entryPoint } = plan;
  return createServedRunner({
    name: jails.framework,
    jail: () => jails.command([`${folder}/runner.py`, folder, confine, project]),
    settings: { paths, tests, doctest, sources, entry_point: entryPoint, whole: isWhole },
    time,
    knowsTrials: true,
    separates: true,
    overhead: { run: 0, start: 0 },
    prepared: (_, bytes) => bytes,
  });
}

/** How the project's interpreter is started in a jail. */
export interface JailedPython {
  readonly isolation: IsolationLevel;
  readonly warning: string | null;
  /** The test framework: `pytest 9.2.0` or `unittest`. */
  readonly framework: string;
  /** The words are those of a program that closes the jail itself, unless a last word says that it is closed. */
  command(args: readonly string[]): Jail;
}

/** A program of the project may have printed it. */
const aboutSchema = z.object({
  executable: z.string().min(1),
  version: z.tuple([z.number(), z.number()]),
  implementation: z.string().default('cpython'),
  pytest: z
    .string()
    .regex(/^[\w.+!-]{1,40}$/)
    .nullable(),
});
type About = z.infer<typeof aboutSchema>;

const about = `import json, sys
try:
    from importlib.metadata import version
    pytest = version('pytest')
except Exception:
    pytest = None
print(json.dumps({'executable': sys.executable, 'version': sys.version_info[:2], 'implementation': sys.implementation.name, 'pytest': pytest}))`;

/**
 * An interpreter of the project starts inside the jail only; one of the system or the user closes the jail itself.
 * @param python name or path of the interpreter @param root the project's folder
 * @throws HefixError (`INTERPRETER_UNUSABLE`, `PYTHON_MISSING`, `PYTHON_TOO_OLD`, `PYTHON_NOT_CPYTHON`,
 * `ISOLATION_UNAVAILABLE`, `ISOLATION_TOO_WEAK`)
 */
export async function jailedPython(
  python: string,
  root: string,
  options: JailOptions,
): Promise<JailedPython> {
  const interpreter = projectPython(python, root);
  return interpreter === null ? await ofUser(python, options) : await ofProject(interpreter, root, options);
}

async function ofUser(python: string, options: JailOptions): Promise<JailedPython> {
  // Outside of the project, so that neither its files nor those of tools that choose an interpreter are read.
  const started = { cwd: '/', timeout: 30_000, stdin: 'ignore' } as const;
  const program = /[/\\]/.test(python) ? python : (findOnPath(python) ?? join('/usr/bin', python));
  const described = execa(program, ['-I', '-c', about], started).then(({ stdout }) => stdout);
  const { executable, pytest } = await readAbout(python, described);
  const { isolation, limits, ...programs } = await testJail(executable, options);
  const inside = programs.executable([executable], commandFolder(executable));
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    framework: frameworkOf(pytest),
    command(args) {
      const argv = [executable, '-I', ...args];
      const jail =
        inside.length === 0
          ? isolation.command(argv, limits)
          : isolation.compiler(
              argv,
              { readable: [...args, ...programs.readable], executable: inside },
              limits,
            );
      return programs.finding(jail, [executable]);
    },
  };
}

/** The host's Python closes the jail and then becomes that of the project. */
async function ofProject(
  interpreter: ProjectPython,
  root: string,
  options: JailOptions,
): Promise<JailedPython> {
  const host = await preparePython(hostPython(root));
  const { isolation, limits, ...programs } = await testJail(host.executable, options);
  const inside = programs.executable([]);
  const started = (args: readonly string[]): Jail => {
    const files = args.filter(word => isAbsolute(word) && existsSync(word));
    const readable = [...interpreter.readable, ...programs.readable, ...files];
    const jail = isolation.program([interpreter.program, '-I', ...args], readable, limits, [
      ...inside,
      interpreter.program,
    ]);
    return programs.finding(jail, [interpreter.program]);
  };
  const { pytest } = await readAbout(interpreter.program, outputOf(started(['-c', about])));
  return {
    isolation: isolation.level,
    warning: isolation.warning,
    framework: frameworkOf(pytest),
    command: args => started([...args, 'closed']),
  };
}

/** The commands that are installed in a virtual environment. */
function commandFolder(python: string): string[] {
  const folder = dirname(python);
  return isEnvironment(dirname(folder)) ? [folder] : [];
}

async function outputOf({ file, args, env, cwd, release }: Jail): Promise<string> {
  const options = { env, cwd, extendEnv: false, timeout: 30_000, maxBuffer: 65_536 } as const;
  try {
    return (await execa(file, args, { ...options, stdin: 'ignore' })).stdout;
  } finally {
    await release();
  }
}

async function readAbout(python: string, output: Promise<string>): Promise<About> {
  const about = await output
    .then(text => aboutSchema.parse(JSON.parse(text)))
    .catch(cause => {
      throw interpreterUnusable(python, cause);
    });
  const [major, minor] = about.version;
  if (major < 3 || (major === 3 && minor < 9)) throw pythonTooOld(python, `${major}.${minor}`);
  if (about.implementation !== 'cpython') throw pythonNotCPython(python, about.implementation);
  return about;
}

function frameworkOf(pytest: string | null): string {
  return pytest === null ? 'unittest' : `pytest ${pytest}`;
}
