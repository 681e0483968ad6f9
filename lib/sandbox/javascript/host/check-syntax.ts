import { Script } from 'node:vm';
import type { SyntaxFault } from '../../../core/ports.ts';
import { moduleToScript } from '../tests/module-to-script.ts';

/** The candidate as a script; ECMAScript modules are rewritten. */
export function scriptOf(code: string): string {
  const script = moduleToScript(code);
  return script && script.exports.length > 0 ? script.code : code;
}

/** Compiles a program as a script with V8, without running it. */
export function checkSyntax(code: string): SyntaxFault | null {
  const fault = faultIn(code);
  return fault && scriptOf(code) !== code ? faultIn(scriptOf(code)) : fault;
}

function faultIn(code: string): SyntaxFault | null {
  try {
    new Script(code, { filename: FILE });
    return null;
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) {
      return { message: 'too large or too deeply nested to parse', line: 1 };
    }
    // The stack of a syntax error starts with its location: `candidate.js:3`.
    const line = Number.parseInt(String(problem.stack).split(`${FILE}:`)[1] ?? '', 10);
    return { message: problem.message, line: line > 0 ? line : 1 };
  }
}

const FILE = 'candidate.js';
