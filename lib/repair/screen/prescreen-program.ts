import { readFileSync } from 'node:fs';
import type { Task } from '../../core/task.ts';
import { packageFile } from '../../files/package-root.ts';
import type { SyntaxParser } from '../../syntax/parser.ts';
import { stepsProgram, withSteps } from '../behaviour/observed-program.ts';

/** Marks an execution that tries many programs instead of judging one. */
export const PRESCREEN_ENTRY_POINT = 'prescreen_all';

/**
 * What is executed to try many programs at once: a candidate with the function `prescreen`, and a test that
 * calls it.
 */
export interface PrescreenProgram {
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: typeof PRESCREEN_ENTRY_POINT;
  /** Tries nothing. */
  readonly reference: string;
}

/** Limits of an execution. */
export interface PrescreenLimits {
  /** Programs that exceeded their steps or time in earlier executions. */
  readonly overruns: number;
  /** Whether the buggy program, whose cost sets the steps of the others, is left out. */
  readonly skipsFirst: boolean;
  /** Processor time for all programs. */
  readonly seconds: number;
  /** Whether to continue after a program that passes. */
  readonly all: boolean;
}

/** Printed when the buggy program has been run. */
export const FIRST_IS_THROUGH = '@first';

/**
 * First it prints FIRST_IS_THROUGH. For each program that is through it prints
 * `@number assertionsPassed assertionsRun firstFailing end milliseconds overruns`: `firstFailing` is the index of the first
 * assertion that did not hold, or `none`; `end` is `ended` or `stopped`.
 */
export function prescreenProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
  limits: PrescreenLimits,
): PrescreenProgram {
  return parser.language === 'js'
    ? javascriptProgram(parser, programs, tests, limits)
    : pythonProgram(parser, task, programs, tests, limits);
}

function pythonProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
  { overruns, skipsFirst, seconds, all }: PrescreenLimits,
): PrescreenProgram {
  // A string of JSON is also one of Python. Mentioning the names makes the sandbox provide them.
  const needs = [...new Set(parser.statements(task.buggy).flatMap(statement => statement.needs))].filter(
    name => !/^(?:prescreen|prescreen_all)$/.test(name),
  );
  const named = needs.map(
    name => `    try: names[${JSON.stringify(name)}] = ${name}\n    except NameError: pass\n`,
  );
  const given = [skipsFirst ? null : task.buggy, programs, tests].map(value =>
    JSON.stringify(JSON.stringify(value)),
  );
  const candidate = [
    stepsProgram(),
    readFileSync(packageFile('lib/repair/screen/prescreen.py'), 'utf8'),
    'import json',
    `def prescreen_all():\n    names = {}\n${named.join('')}    prescreen(json.loads(${given[0]}), json.loads(${given[1]}), json.loads(${given[2]}), names, ${overruns}, ${seconds}, ${all ? 'True' : 'False'})\n`,
  ].join('\n\n');
  return {
    ...{ candidate, tests: 'assert prescreen_all() is None\n', entryPoint: PRESCREEN_ENTRY_POINT },
    reference: 'def prescreen_all():\n    pass\n',
  };
}

function javascriptProgram(
  parser: SyntaxParser,
  programs: readonly string[],
  tests: string,
  { overruns, seconds, all }: PrescreenLimits,
): PrescreenProgram {
  const counted = programs.map(program => withSteps(parser, program));
  const candidate = `
const programs = ${JSON.stringify(counted)};
const tests = ${JSON.stringify(tests)};
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const prescreen_all = () => {
  console.log('${FIRST_IS_THROUGH}');
  let overruns = ${overruns};
  const begun = used();
  for (const [number, program] of programs.entries()) {
    let steps = 0, assertionsRun = 0, assertionsPassed = 0, firstFailing = null, ended = false;
    const limit = Math.max(${MIN_STEPS}, ${MAX_STEPS} * 0.5 ** Math.floor(overruns / ${PATIENCE}));
    const step = () => { if (++steps > limit) throw new RangeError('too many steps'); };
    const assert = holds => {
      assertionsRun++;
      if (holds) assertionsPassed++;
      else firstFailing ??= assertionsRun - 1;
    };
    const silent = { assert, log() {}, error() {}, warn() {} };
    const load = typeof require === 'undefined' ? undefined : require;
    try {
      new Function('$step', 'console', 'require', program + '\\n' + tests)(step, silent, load);
      ended = true;
    } catch {
      // The current assertion raised before it could be counted.
      firstFailing ??= assertionsRun;
    }
    if (steps > limit) overruns++;
    const spent = used() - begun;
    console.log('\\n@' + [number, assertionsPassed, assertionsRun, firstFailing ?? 'none', ended ? 'ended' : 'stopped', Math.ceil(spent), overruns].join(' '));
    if (spent >= ${1000 * seconds} || (${!all} && ended && assertionsPassed === assertionsRun && assertionsRun > 0)) break;
  }
  return 1;
};
`;
  return {
    ...{ candidate, tests: 'console.assert(prescreen_all() === 1)\n', entryPoint: PRESCREEN_ENTRY_POINT },
    reference: 'const prescreen_all = () => 1;\n',
  };
}

/** Maximum loop iterations and calls of a program; without it, an endless one would end the whole execution. */
const MAX_STEPS = 40_000;
const MIN_STEPS = 2_000;
/** Number of programs that may exceed their steps before the limit of the others is halved. */
const PATIENCE = 4;
