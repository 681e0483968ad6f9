import type { Readable } from 'node:stream';
import type { StartTimer } from '../../../core/async/wait.ts';
import { frame, readFrames } from '../../process/frames.ts';
import type { StartedProcess } from '../../process/started-process.ts';

/** The reply of programs/syntax.py, or why there is none. */
type ParserAnswer =
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'late' | 'ended' | 'aborted' };

/** A warm interpreter that parses one program at a time. */
export interface Parser {
  ask(code: string, milliseconds: number, signal?: AbortSignal): Promise<ParserAnswer>;
  destroy(): Promise<void>;
}

export function startParser(process: StartedProcess, startTimer: StartTimer): Parser {
  let settle: (answer: ParserAnswer) => void = () => {};
  readFrames(process.child.stdout as Readable, body => settle({ kind: 'reply', text: body.toString() }));
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
