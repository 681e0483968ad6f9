// Plain judges: candidate and tests as one program, whose exit code decides. None of them is meant to be used; an
// attack that has no effect on any of them shows nothing.
import type { AttackCase } from './attack-cases.ts';

export interface PlainProgram {
  readonly language: 'python' | 'js';
  /** Of its file. */
  readonly name: string;
  readonly text: string;
}

/**
 * The attack on each plain judge: one with a test runner; one that only loads the tests, as `exec` does; and, in
 * JavaScript, one that loads the candidate in a context of its own and offers the tests all that it exports. Empty for
 * compiled languages.
 */
export function plainPrograms({ language, code, tests, entryPoint }: AttackCase): PlainProgram[] {
  if (language === 'python') {
    const calls = isChecked(tests) ? `check(${entryPoint})\n` : runPython(tests);
    const texts = [
      `${code}\n${tests}\n${calls}`,
      `${code}\n__name__ = 'tests'\n${tests}\n${isChecked(tests) ? calls : ''}`,
    ];
    return texts.map(text => ({ language, name: 'program.py', text }));
  }
  if (language !== 'js') return [];
  const texts = [withRunner, loading, withExports].map(text => text(code, tests, entryPoint));
  return texts.map(text => ({ language, name: 'program.js', text }));
}

function isChecked(tests: string): boolean {
  return /^def check\(/m.test(tests) && !/^check\(/m.test(tests);
}

/** What a test runner would call. */
function runPython(tests: string): string {
  if (/^[ \t]*unittest\.main/m.test(tests)) return '';
  if (/\bunittest\.(?:IsolatedAsyncio)?TestCase\b/.test(tests)) return 'import unittest\nunittest.main()\n';
  return `
for name, value in list(globals().items()):
    if name.startswith('test') and callable(value):
        value()
    elif name.startswith('Test') and isinstance(value, type):
        for method in dir(value):
            if method.startswith('test'):
                getattr(value(), method)()
`;
}

const noteAsserts = `globalThis.console.assert = (holds, ...rest) => {
  if (holds) return;
  console.error(...rest);
  process.exitCode = 1;
};
`;

function withRunner(code: string, tests: string, entryPoint: string): string {
  const runner = runnerNames(tests);
  return `${noteAsserts}${code}
;(async function (require, ${runner.join(', ')}) {
${asScript(tests)}
})(
  ${requireFor(entryPoint, 'require(name)', 'module.exports')},
  ${runner.map(name => `require('node:test').${name}`).join(', ')}
).catch(error => {
  console.error(error);
  process.exit(1);
});
`;
}

/** Runs no registered test and awaits nothing. */
function loading(code: string, tests: string, entryPoint: string): string {
  const isAwaiting = /^(?:for )?await\b|^(?:const|let|var) .*= await\b/m.test(tests);
  const runner = runnerNames(tests);
  return `${noteAsserts}${code}
const noRunner = Object.assign(() => {}, { test() {}, it() {}, describe() {}, suite() {}, after() {}, before() {} });
${isAwaiting ? 'async ' : ''}function load(require, module, __filename, ${runner.join(', ')}) {
${asScript(tests)}
}
load(
  Object.assign(
    ${requireFor(entryPoint, `/^(node:test|tape)$/.test(name) ? noRunner : require(name)`, 'module.exports')},
    { main: require.main },
  ),
  { exports: {}, parent: module },
  '/tests.js',
  ${runner.map(() => 'noRunner').join(', ')}
);
process.exit(process.exitCode ?? 0);
`;
}

/** The candidate in a context of its own; all that it exports, or its variables, are names of the tests. */
function withExports(code: string, tests: string, entryPoint: string): string {
  const runner = runnerNames(tests);
  return `${noteAsserts}const module_ = { exports: {} };
const context = require('node:vm').createContext({
  module: module_, exports: module_.exports, require, console: { log() {}, error() {}, assert() {} },
  process, setTimeout, Buffer,
});
const entry = require('node:vm').runInContext(
  ${JSON.stringify(`${code}\n;typeof ${entryPoint} === 'undefined' ? undefined : ${entryPoint}`)},
  context,
);
const all = module_.exports;
const isEmpty = typeof all === 'object' && Reflect.ownKeys(all).length === 0;
const offered = isEmpty ? { ${entryPoint}: entry } : all;
const tests = new Function('offered', 'require', ${runner.map(name => `'${name}', `).join('')}${JSON.stringify(`with (offered) {\nreturn (async () => {\n${asScript(tests)}\n})();\n}`)});
tests(
  offered,
  ${requireFor(entryPoint, 'require(name)', 'offered')},
  ${runner.map(name => `require('node:test').${name}`).join(', ')}
).catch(error => {
  console.error(error);
  process.exit(1);
});
`;
}

/** The runner's functions that the tests expect as global names. */
function runnerNames(tests: string): string[] {
  return ['describe', 'it', 'test'].filter(
    name =>
      new RegExp(`\\b${name}\\(`).test(tests) &&
      !new RegExp(`\\b${name}\\b[^(\\n]*=|function ${name}\\b|import .*\\b${name}\\b`).test(tests),
  );
}

/** `require` of the tests: a relative path is the candidate. */
function requireFor(entryPoint: string, other: string, exported: string): string {
  return `name => {
    if (!name.startsWith('.')) return ${other};
    const own = ${exported};
    return typeof own === 'function' || Object.keys(own).length > 0 ? own : { ${entryPoint} };
  }`;
}

/** Import statements as calls of `require`. */
function asScript(tests: string): string {
  return tests
    .replaceAll(/^import (\w+) from (['"].*?['"])/gm, 'const $1 = require($2)')
    .replaceAll(
      /^import \{(.*?)\} from (['"].*?['"])/gm,
      (_, names: string, from: string) => `const {${names.replaceAll(' as ', ': ')}} = require(${from})`,
    );
}
