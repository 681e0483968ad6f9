import type { Readable } from 'node:stream';
import type { StartedProcess } from '../../process/started-process.ts';
import { frameTexts } from './judge-report.ts';

/** What came of a question: programs/syntax.py's line, or none for one of three reasons. */
export type ParserAnswer =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'late' | 'ended' | 'aborted' };

/** A warm interpreter that parses one program at a time. */
export interface Parser {
  ask(code: string, milliseconds: number, signal?: AbortSignal): Promise<ParserAnswer>;
  destroy(): Promise<void>;
}

export function startParser(process: StartedProcess): Parser {
  const stdout = process.child.stdout as Readable;
  let text = '';
  let settle: (answer: ParserAnswer) => void = () => {};
  stdout.setEncoding('utf8');
  // One listener for all questions.
  stdout.on('data', (piece: string) => {
    text += piece;
    if (!text.endsWith('\n')) return;
    const line = text.slice(0, -1);
    text = '';
    settle({ kind: 'line', line });
  });
  process.exited.then(() => settle({ kind: 'ended' }));
  return {
    ask(code, milliseconds, signal) {
      return new Promise(resolve => {
        const abort = () => settle({ kind: 'aborted' });
        const timer = setTimeout(() => settle({ kind: 'late' }), milliseconds);
        settle = answer => {
          settle = () => {};
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          resolve(answer);
        };
        signal?.addEventListener('abort', abort, { once: true });
        if (process.hasExited()) settle({ kind: 'ended' });
        else process.child.stdin?.write(frameTexts(code));
      });
    },
    destroy: process.destroy,
  };
}
