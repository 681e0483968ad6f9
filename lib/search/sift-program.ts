import { readFileSync } from 'node:fs';
import { packageFile } from '../package-root.ts';
import { descendants } from '../syntax/nodes.ts';
import type { SyntaxParser } from '../syntax/parser.ts';
import type { Task } from '../task.ts';
import { isLoop } from './shapes.ts';

/** What is executed to try many programs at once: a candidate with the function `sift`, and a test that calls it. */
export interface SiftProgram {
  readonly candidate: string;
  readonly tests: string;
  readonly entryPoint: 'sift_all';
}

/** For each program that is through it prints `@number held reached`; `held` is negative if it did not end. */
export function siftProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
): SiftProgram {
  return parser.language === 'js'
    ? javascriptProgram(parser, programs, tests)
    : pythonProgram(parser, task, programs, tests);
}

function pythonProgram(
  parser: SyntaxParser,
  task: Task,
  programs: readonly string[],
  tests: string,
): SiftProgram {
  // A JSON text is a literal of Python too. The names that the sandbox would provide are asked for by being named.
  const needs = [...new Set(parser.statements(task.buggy).flatMap(statement => statement.needs))].filter(
    name => !/^(?:sift|sift_all)$/.test(name),
  );
  const named = needs.map(
    name => `    try: names[${JSON.stringify(name)}] = ${name}\n    except NameError: pass\n`,
  );
  const given = [task.buggy, programs, tests].map(value => JSON.stringify(JSON.stringify(value)));
  const candidate = [
    readFileSync(packageFile('lib/search/sift.py'), 'utf8'),
    'import json',
    `def sift_all():\n    names = {}\n${named.join('')}    sift(json.loads(${given[0]}), json.loads(${given[1]}), json.loads(${given[2]}), names)\n`,
  ].join('\n\n');
  return { candidate, tests: 'assert sift_all() is None\n', entryPoint: 'sift_all' };
}

function javascriptProgram(parser: SyntaxParser, programs: readonly string[], tests: string): SiftProgram {
  const counted = programs.map(program => withSteps(parser, program));
  const candidate = `
const programs = ${JSON.stringify(counted)};
const tests = ${JSON.stringify(tests)};
const sift_all = () => {
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
  return { candidate, tests: 'console.assert(sift_all() === 1)\n', entryPoint: 'sift_all' };
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
