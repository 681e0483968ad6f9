import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { type StartTimer, startTimer as startRealTimer } from '../../../core/async.ts';
import type { SyntaxFault } from '../../../core/ports.ts';
import { sandboxClosed, sandboxFailed } from '../../errors.ts';
import type { Isolation, Limits } from '../../isolation/isolation.ts';
import { frame, type MessageLimits, readMessages } from '../../process/messages.ts';
import { type StartedProcess, startProcess } from '../../process/started-process.ts';
import type { PythonPrograms } from './python-programs.ts';

/** Parses programs in warm interpreters, several at once, without running them. */
export interface SyntaxChecker {
  /** Rejects with SANDBOX_FAILED if parsers do not answer, which says nothing about the program. */
  check(code: string, signal?: AbortSignal): Promise<SyntaxFault | null>;
  close(): Promise<void>;
}

/** Reported for a program that ends the parser by its depth or its processor time. */
const tooMuch: SyntaxFault = { message: 'too large or too deeply nested to parse', line: 1 };

const maxParsers = 4;
/** Programs after which a parser is replaced. */
const maxPrograms = 400;
/** On a busy system, a parser may wait for several times its processor time. */
const waitFactor = 3;
/** In seconds. */
const minimumWait = 2;

export function createSyntaxChecker(
  python: PythonPrograms,
  isolation: Isolation,
  limits: Limits,
  timeoutSeconds: number,
  startTimer = startRealTimer,
): SyntaxChecker {
  const milliseconds = 1000 * Math.max(minimumWait, waitFactor * timeoutSeconds);
  /** All parsers, with the number of programs that each has parsed. */
  const all = new Map<Parser, number>();
  const idle: Parser[] = [];
  const slots = pLimit(Math.min(maxParsers, Math.max(2, availableParallelism())));
  let closed = false;

  const start = (): Parser => {
    const parser = startParser(
      startProcess(
        isolation.command([python.executable, ...python.arguments('syntax')], {
          ...limits,
          cpuSeconds: Math.ceil(timeoutSeconds),
        }),
        ['pipe', 'pipe', 'pipe'],
        python.environment,
      ),
      startTimer,
    );
    all.set(parser, 0);
    return parser;
  };
  const discard = async (parser: Parser) => {
    await parser.destroy();
    all.delete(parser);
  };
  const ask = async (parser: Parser, code: string, signal?: AbortSignal): Promise<string | null> => {
    const answer = await parser.ask(code, milliseconds, signal);
    if (answer.kind === 'reply') {
      const programs = (all.get(parser) ?? 0) + 1;
      all.set(parser, programs);
      if (programs < maxPrograms) idle.push(parser);
      else if (!closed) {
        // Its successor starts before it is needed.
        idle.push(start());
        void discard(parser);
      }
      return answer.text;
    }
    await discard(parser);
    if (closed) throw sandboxClosed();
    signal?.throwIfAborted();
    if (answer.kind === 'late')
      throw sandboxFailed(`the parser did not answer in ${milliseconds / 1000} seconds`);
    return null;
  };
  const check = async (code: string, signal?: AbortSignal): Promise<SyntaxFault | null> => {
    if (closed) throw sandboxClosed();
    signal?.throwIfAborted();
    const parser = idle.pop() ?? start();
    // An old parser may have ended because of an earlier program; a new one gets the full time.
    const first = await ask(parser, code, signal).catch(error => {
      if (closed || signal?.aborted) throw error;
      return null;
    });
    const line = first ?? (await ask(start(), code, signal));
    if (line !== null) return faultOf(line);
    // If a parser cannot even parse an empty program, the sandbox does not start.
    if ((await ask(start(), '', signal)) === null) throw sandboxFailed('the parser did not start');
    return tooMuch;
  };
  return {
    check: (code, signal) => slots(() => check(code, signal)),
    async close() {
      closed = true;
      await Promise.all([...all.keys()].map(discard));
    },
  };
}

function faultOf(line: string): SyntaxFault | null {
  const [number = '', ...messageWords] = line.split(' ');
  return line === '' ? null : { message: messageWords.join(' '), line: Number(number) };
}

/** The reply of programs/syntax.py, or why there is none. */
type ParserAnswer =
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'late' | 'ended' | 'aborted' };

/** A warm interpreter that parses one program at a time. */
interface Parser {
  ask(code: string, milliseconds: number, signal?: AbortSignal): Promise<ParserAnswer>;
  destroy(): Promise<void>;
}

/** A reply is a line number and a sentence. */
const replyLimits: MessageLimits = { bytes: 2 ** 20, total: 2 ** 22, messages: 16 };

function startParser(process: StartedProcess, startTimer: StartTimer): Parser {
  let settle: (answer: ParserAnswer) => void = () => {};
  const reading = readMessages(process.child.stdout as Readable, 'frames', replyLimits, {
    onMessage(body) {
      reading.renew();
      settle({ kind: 'reply', text: body.toString() });
    },
    onExcess: process.kill,
  });
  process.exited.then(() => settle({ kind: 'ended' }));
  return {
    ask(code, milliseconds, signal) {
      return new Promise(resolve => {
        const abort = () => settle({ kind: 'aborted' });
        const stopTimer = startTimer(() => settle({ kind: 'late' }), milliseconds);
        settle = answer => {
          settle = () => {};
          stopTimer();
          signal?.removeEventListener('abort', abort);
          resolve(answer);
        };
        signal?.addEventListener('abort', abort, { once: true });
        if (process.hasExited()) settle({ kind: 'ended' });
        else process.child.stdin?.write(frame(code));
      });
    },
    destroy: process.destroy,
  };
}
