import type { Readable } from 'node:stream';
import { sandboxFailed } from '../../../core/errors.ts';
import type { SyntaxFault } from '../../../core/ports.ts';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import { type StartedProcess, startProcess } from '../../process/started-process.ts';
import { frameTexts } from './judge-report.ts';
import { hashSeed, type PythonPrograms } from './python-programs.ts';

/** Parses programs in one warm interpreter, which never runs them; one at a time. */
export interface SyntaxChecker {
  check(code: string, signal?: AbortSignal): Promise<SyntaxFault | null>;
  close(): Promise<void>;
}

/** A program that breaks the parser, or takes longer than a parser may, has a fault in its first line. */
const tooMuch: SyntaxFault = { message: 'too large or too deeply nested to parse', line: 1 };

export function createSyntaxChecker(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  timeoutSeconds: number,
): SyntaxChecker {
  const start = () =>
    startProcess(
      isolation.command([python.executable, ...python.arguments('syntax')], limits),
      ['pipe', 'pipe', 'pipe'],
      hashSeed,
    );
  let parser: StartedProcess | undefined = start();
  let previous: Promise<unknown> = Promise.resolve();
  let answered = false;

  const check = async (code: string, signal?: AbortSignal): Promise<SyntaxFault | null> => {
    signal?.throwIfAborted();
    if (parser?.hasExited()) await parser.destroy();
    if (!parser || parser.hasExited()) parser = start();
    const line = await ask(parser, code, timeoutSeconds * 1000);
    if (line === null) {
      const fresh = parser;
      parser = undefined;
      await fresh.destroy();
      // A parser that has never answered is a sandbox that does not start.
      if (!answered) throw sandboxFailed('the parser did not start');
      return tooMuch;
    }
    answered = true;
    const [number = '', ...words] = line.split(' ');
    return line === '' ? null : { message: words.join(' '), line: Number(number) };
  };
  return {
    check(code, signal) {
      const result = previous.then(() => check(code, signal));
      previous = result.catch(() => {});
      return result;
    },
    async close() {
      await parser?.destroy();
      parser = undefined;
    },
  };
}

/** The parser's line; null if it ended or took too long. */
function ask(parser: StartedProcess, code: string, milliseconds: number): Promise<string | null> {
  return new Promise(resolve => {
    const stream = parser.child.stdout as Readable;
    let text = '';
    const settle = (line: string | null) => {
      clearTimeout(timer);
      stream.off('data', read);
      resolve(line);
    };
    const read = (piece: Buffer) => {
      text += piece.toString('utf8');
      if (text.endsWith('\n')) settle(text.slice(0, -1));
    };
    const timer = setTimeout(() => settle(null), milliseconds);
    stream.on('data', read);
    parser.exited.then(() => settle(null));
    parser.child.stdin?.write(frameTexts(code));
  });
}
