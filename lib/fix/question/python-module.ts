import type { Input } from '../../behaviour/generate.ts';
import { source } from '../../behaviour/observed-program.ts';
import { stepsProgram } from '../../behaviour/steps.ts';

/** Python files that also write what their functions are called with, or do, to the notes of a run. */

/** @param name a function of the module */
export function recordingPython(text: string, name: string): string {
  return withCode(text, [source('plain'), source('record-calls'), RECORD], { name });
}

const RECORD = `
import os

module[name] = recorded(module[name], open(os.environ['HEFIX_NOTES'], 'a', buffering=1))
`;

/** @param codes versions of the function, which are called with all inputs */
export function observingPython(
  text: string,
  name: string,
  given: {
    readonly codes: readonly string[];
    readonly inputs: readonly Input[];
    readonly limits: readonly number[];
    readonly budget: number;
  },
): string {
  return withCode(text, [stepsProgram(), source('plain'), source('observe'), OBSERVE], { name, ...given });
}

/** A call that takes too long ends, and with it the observation of this version, not the process. */
const OBSERVE = `
import os

def ring(number, frame):
    raise TooLong

signal.signal(signal.SIGVTALRM, ring)
notes = open(os.environ['HEFIX_NOTES'], 'a', buffering=1)
stdout = sys.stdout
for number, code in enumerate(codes):
    sys.stdout = notes
    try:
        observe(code, name, inputs, limits, number * len(inputs), budget, dict(module))
    except BaseException:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        sys.stdout = stdout
`;

/** Adds one statement, which binds no name of the module. */
function withCode(text: string, code: readonly string[], given: object): string {
  const names = `dict(__import__('json').loads(${pythonText(given)}), module=globals(), __name__='hefix')`;
  return `${text}\nexec(__import__('json').loads(${pythonText(code.join('\n\n'))}), ${names})\n`;
}

/** JSON in a string, in ASCII: the file may have any encoding. */
function pythonText(value: unknown): string {
  const json = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return JSON.stringify(json);
}
