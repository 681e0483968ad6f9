import { readFileSync } from 'node:fs';
import type { Task } from '../core/task.ts';
import { packageFile } from '../files/package-root.ts';
import { descendants } from '../syntax/nodes.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import { isLoop } from './shapes.ts';

/** What is executed to try many programs at once: a candidate with the function `prescreen`, and a test that calls it. */
export interface PrescreenProgram {
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: 'prescreen_all';
}

/** For each program that is through it prints `@number held reached`; `held` is negative if it did not end. */
export function prescreenProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
): PrescreenProgram {
  return parser.language === 'js'
    ? javascriptProgram(parser, programs, tests)
    : pythonProgram(parser, task, programs, tests);
}

function pythonProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
): PrescreenProgram {
  // A JSON text is a literal of Python too. The names that the sandbox would provide are asked for by being named.
  const needs = [...new Set(parser.statements(task.buggy).flatMap(statement => statement.needs))].filter(
    name => !/^(?:prescreen|prescreen_all)$/.test(name),
  );
  const named = needs.map(
    name => `    try: names[${JSON.stringify(name)}] = ${name}\n    except NameError: pass\n`,
  );
  const given = [task.buggy, programs, tests].map(value => JSON.stringify(JSON.stringify(value)));
  const candidate = [
    readFileSync(packageFile('lib/search/prescreen.py'), 'utf8'),
    'import json',
    `def prescreen_all():\n    names = {}\n${named.join('')}    prescreen(json.loads(${given[0]}), json.loads(${given[1]}), json.loads(${given[2]}), names)\n`,
  ].join('\n\n');
  return { candidate, tests: 'assert prescreen_all() is None\n', entryPoint: 'prescreen_all' };
}

function javascriptProgram(
  parser: SyntaxParser,
  programs: readonly string[],
  tests: string,
): PrescreenProgram {
  const counted = programs.map(program => withSteps(parser, program));
  const candidate = `
const programs = ${JSON.stringify(counted)};
const tests = ${JSON.stringify(tests)};
const prescreen_all = () => {
  for (const [number, program] of programs.entries()) {
    let steps = 0, reached = 0, held = 0, ended = false;
    const step = () => { if (++steps > ${MOST_STEPS}) throw new RangeError('too many steps'); };
    const silent = { assert: holds => { reached++; if (holds) held++; }, log() {}, error() {}, warn() {} };
    const load = typeof require === 'undefined' ? undefined : require;
    try {
      new Function('$step', 'console', 'require', program + '\\n' + tests)(step, silent, load);
      ended = true;
    } catch {}
    console.log('\\n@' + number + ' ' + (ended ? held : -1 - held) + ' ' + reached);
    if (ended && held === reached && reached > 0) break;
  }
  return 1;
};
`;
  return { candidate, tests: 'console.assert(prescreen_all() === 1)\n', entryPoint: 'prescreen_all' };
}

/** Turns of loops that a program may take; without them, an endless one would end the whole execution. */
const MOST_STEPS = 20_000;

/** Counts a step at each turn of a loop. */
function withSteps(parser: SyntaxParser, program: string): string {
  const places = parser.read(program, root =>
    descendants(root).flatMap(node => {
      const body = isLoop(node) ? node.childForFieldName('body') : null;
      if (!body) return [];
      if (body.type === 'statement_block') return [{ at: body.startIndex + 1, text: '$step();' }];
      return [
        { at: body.startIndex, text: '{$step();' },
        { at: body.endIndex, text: '}' },
      ];
    }),
  );
  return places
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), program);
}
