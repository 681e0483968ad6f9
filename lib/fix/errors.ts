import { HefixError } from '../core/errors.ts';

/** `names`: the functions and classes that the code defines. */
export function codeWithoutFunction(names: readonly string[]): HefixError {
  return names.length === 0
    ? new HefixError(
        'CODE_WITHOUT_FUNCTION',
        'The code defines no function.',
        'Give the whole function, and its language.',
      )
    : new HefixError(
        'CODE_WITHOUT_FUNCTION',
        `The tests use no function that the code defines: ${names.join(', ')}.`,
        'Name the broken function with entryPoint.',
      );
}

export function entryPointUnknown(name: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'ENTRY_POINT_UNKNOWN',
    `The code defines no function ${name}.`,
    nearest === undefined ? 'Check its name.' : `Did you mean ${nearest}?`,
  );
}

/** The model or the sandbox failed during a repair. */
export function repairBroke({ code, message }: { code: string; message: string }): HefixError {
  return new HefixError(code, message, 'Run hefix doctor to check this system.');
}

/** `tokens`: of a prompt and its answer; undefined if unknown. */
export function contextTooShort(model: string, tokens: number | undefined): HefixError {
  return new HefixError(
    'MODEL_PROMPT_TOO_LONG',
    `${model} takes ${tokens === undefined ? 'few' : `only ${tokens}`} tokens of a prompt and its answer together, not enough to repair a project.`,
    'Use a model with a longer context, lower --max-new-tokens, or give the server a longer context.',
  );
}

/** `from`: what holds none: `The examples`, `The docstring of f`. */
export function examplesUnreadable(from: string): HefixError {
  return new HefixError(
    'TESTS_MISSING',
    `${from} cannot be read as calls with their values, so there is nothing to check a repair with.`,
    'Give tests, or examples such as "median([3, 1, 2]) == 2", one per line, with literal values.',
  );
}

export function interpreterUnusable(python: string, cause: unknown): HefixError {
  return new HefixError(
    'INTERPRETER_UNUSABLE',
    `The Python interpreter ${python} cannot be started.`,
    'Give the path of one with --python, or create the virtual environment again.',
    cause,
  );
}

/** `target`: where the environment is. */
export function interpreterOutside(folder: string, target: string): HefixError {
  return new HefixError(
    'INTERPRETER_UNUSABLE',
    `The virtual environment ${folder} is a link to ${target}, which is outside of the project.`,
    `If its interpreter is yours, give it with --python ${target}/bin/python.`,
  );
}

/** `target`: where the folder of packages is. */
export function modulesOutside(folder: string, target: string): HefixError {
  return new HefixError(
    'PACKAGES_OUTSIDE',
    `${folder} is a link to ${target}, which is outside of the project.`,
    `If the tests may read it, add --packages ${target}; otherwise install the packages in the project.`,
  );
}

export function environmentBroken(folder: string): HefixError {
  return new HefixError(
    'INTERPRETER_UNUSABLE',
    `The virtual environment ${folder} has no Python interpreter.`,
    'Create it again, or give an interpreter with --python.',
  );
}

export function targetNotFound(path: string, nearest: string | undefined): HefixError {
  return new HefixError(
    'TARGET_NOT_FOUND',
    `There is no ${path}.`,
    nearest === undefined ? 'Give a file or a folder that exists.' : `Did you mean ${nearest}?`,
  );
}

/** `target`: where a link leads. */
export function targetOutside(path: string, target: string): HefixError {
  return new HefixError(
    'TARGET_OUTSIDE',
    `${path} is reached by a link that leads out of the current folder, to ${target}.`,
    `If you mean the files there, give that path, or start hefix there.`,
  );
}

export function targetUnsupported(path: string): HefixError {
  return new HefixError(
    'TARGET_UNSUPPORTED',
    `${path} is neither Python, JavaScript nor TypeScript.`,
    'hefix fix repairs files such as .py, .js, .mjs, .ts and .tsx.',
  );
}

export function targetIsTest(path: string): HefixError {
  return new HefixError(
    'TARGET_IS_TEST',
    `${path} belongs to the tests, which hefix never changes.`,
    'Name the code that the tests check, or its folder.',
  );
}

export function patchTouchesTest(path: string): HefixError {
  return new HefixError(
    'PATCH_TOUCHES_TEST',
    `A change of ${path} was refused, because it would change a test.`,
    'Leave out --save-state if its file was edited; otherwise this is a bug in hefix.',
  );
}

/** @param excess a limit on what is repaired that the file exceeds, as a sentence */
export function functionNotFound(
  name: string,
  path: string,
  nearest: string | undefined,
  excess: string | undefined,
): HefixError {
  const other = nearest === undefined ? 'Name a function of that file.' : `Did you mean ${nearest}?`;
  return new HefixError('FUNCTION_NOT_FOUND', `There is no function ${name} in ${path}.`, excess ?? other);
}

export function functionAmbiguous(name: string, path: string, lines: readonly number[]): HefixError {
  return new HefixError(
    'FUNCTION_AMBIGUOUS',
    `${path} has ${lines.length} functions named ${name}, in lines ${lines.join(', ')}.`,
    `Add the line: ${path}::${name}:${lines[0]}.`,
  );
}

export function noTests(path: string): HefixError {
  return new HefixError(
    'TESTS_MISSING',
    `There are no tests for ${path}: no test file is named after it (test_*.py, *_test.py, *.test.js, *.spec.ts, tests/*.js …), and no docstring has examples.`,
    'Give a file or a folder of tests with --tests.',
  );
}

/** `reason` is the fault of the run; `python`: the interpreter that ran it, if one did. */
export function testsNotCollected(reason: string, python: string | null): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests cannot be collected: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`,
    python !== null && /\bNo module named\b/.test(reason)
      ? `The interpreter is ${python}: install the module for it, or name another interpreter with --python.`
      : 'Fix the problem that the test runner reports, then run hefix fix again.',
  );
}

export function testEndsProcess(test: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests cannot be run: the test ${test} ended the process that ran it.`,
    'Correct it, or name other tests with --tests.',
  );
}

/** `seconds`: the time limit of the whole repair. */
export function testsTooSlow(seconds: number): HefixError {
  return new HefixError(
    'TESTS_TOO_SLOW',
    `The tests did not end within ${seconds} s, the time limit of the whole repair.`,
    'Name fewer tests with --tests, or allow more time with --time.',
  );
}

/** A framework of JavaScript tests that a project uses. */
export function frameworkMissing(name: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests use ${name}, which is not installed in the project.`,
    'Install the project’s packages first, for example with npm install.',
  );
}

export function frameworkTooOld(name: string, version: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests use ${name} ${version}, and hefix runs ${name} 1 and newer.`,
    'Update it, or name tests of another framework with --tests.',
  );
}

export function frameworkUnsupported(name: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests use ${name}, which hefix cannot run.`,
    'Use node:test, vitest, jest, mocha, ava or tape, or name other tests with --tests.',
  );
}

export function typeScriptNeedsNode(version: string): HefixError {
  return new HefixError(
    'TESTS_NOT_COLLECTED',
    `The tests are TypeScript, which node:test runs from Node 22.18 on; this is Node ${version}.`,
    'Run hefix with a newer Node, or install tsx in the project.',
  );
}

export function testsNone(isDjango: boolean): HefixError {
  return new HefixError(
    'TESTS_MISSING',
    'The test runner found no tests in these files.',
    isDjango
      ? 'hefix does not start manage.py test: install pytest-django, set DJANGO_SETTINGS_MODULE in pytest.ini, and name the tests with --tests.'
      : 'Give a file or a folder of tests with --tests.',
  );
}

export function sourceSyntax(path: string, line: number | null): HefixError {
  const place = line === null ? '' : ` (line ${line})`;
  return new HefixError(
    'SOURCE_SYNTAX',
    `${path} has a syntax error${place}.`,
    'Correct it first: hefix fix repairs functions that can be run.',
  );
}

/** @param limit that the project exceeds, such as `10000 files` */
export function projectTooLarge(root: string, limit: string): HefixError {
  return new HefixError(
    'PROJECT_TOO_LARGE',
    `${root} has more than ${limit}, more than hefix copies.`,
    'Name a smaller folder, with a pyproject.toml or package.json of its own.',
  );
}

export function fileChanged(path: string): HefixError {
  return new HefixError(
    'FILE_CHANGED',
    `${path} was changed since hefix read it; nothing was written.`,
    'Run hefix fix again.',
  );
}

/** `target`: what was named; `last`: what the kept change is of, empty for no name. */
export function nothingToApply(
  folder: string,
  target: string | undefined,
  last: string | undefined,
): HefixError {
  const sentence =
    last === undefined
      ? `There is no change to apply: hefix fix has shown none in ${folder} that is not written yet.`
      : `The last change that hefix fix showed in ${folder} is ${last === '' ? 'of no named target' : `of ${last}`}, not of ${target}.`;
  const hint =
    last === undefined
      ? 'Run hefix fix there first.'
      : `Run hefix fix ${target} first, or hefix fix --apply without a name.`;
  return new HefixError('NOTHING_TO_APPLY', sentence, hint);
}

export function changeIsUnsure(): HefixError {
  return new HefixError(
    'CHANGE_UNSURE',
    'The last change passes all tests, but is of a kind that is seldom meant; nothing was written.',
    'Read it first: --apply unsure writes such a change.',
  );
}

export function fileReadOnly(path: string): HefixError {
  return new HefixError(
    'FILE_READ_ONLY',
    `${path} is read-only; --write cannot change it.`,
    'Make it writable, or take the change with --patch.',
  );
}
