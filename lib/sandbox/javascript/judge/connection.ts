import type { Verdict } from '../../../core/verdict.ts';
import type { Report } from '../host/job.ts';
import type { HostMessage } from '../wire/messages.ts';
import { type Checks, shortenText } from './assertions/checks.ts';

/** The judge's connections. */
export interface JudgeIo {
  /** Reports that the candidate's code runs from now on. */
  started(): void;
  /** Sends the report and ends the process. */
  report(report: Report): never;
  send(message: string): void;
  /** Null if the candidate's process has ended. */
  receive(): string | null;
}

/** The ways in which the judge ends, and the messages of the candidate. */
export interface Connection {
  /** `error`: thrown where the verdict was decided, for the place in the tests. */
  decide(verdict: Verdict, error?: Error): never;
  /** The candidate gave something that is not plain data. */
  refuse(reason: string): never;
  /** The candidate used something of Node that is not there. */
  lacks(what: string): never;
  /** What the candidate is doing, as text. */
  doing(): string;
  /** From here on, messages may come from the candidate; earlier errors are ours. */
  start(): void;
  /** The next message. Reports if there is none. */
  receive(): string;
}

export function createConnection(io: JudgeIo, checks: Checks): Connection {
  let started = false;
  const connection: Connection = {
    decide(verdict, error) {
      const test = error && checks.place(error);
      return io.report({ kind: 'verdict', verdict: test ? { ...verdict, test } : verdict });
    },
    refuse: reason =>
      connection.decide(
        {
          kind: 'not-serializable',
          message: `${connection.doing()} returned ${shortenText(reason)}, which is not plain data.`,
        },
        new Error(),
      ),
    lacks: what =>
      connection.decide(
        {
          kind: 'not-serializable',
          message: `${connection.doing()} used ${shortenText(what)}, which the sandbox does not have.`,
        },
        new Error(),
      ),
    doing() {
      const call = checks.lastCall();
      return call && !call.returned ? call.text : 'The candidate';
    },
    start() {
      started = true;
      io.started();
    },
    receive() {
      const text = io.receive();
      const loss = text === null ? null : lossIn(text);
      if (text !== null && loss === null) return text;
      if (!started)
        return io.report(
          loss?.op === 'no isolated-vm' ? { kind: loss.op, why: loss.why } : { kind: 'not started' },
        );
      if (loss?.op === 'no isolated-vm') return connection.refuse('a message that cannot be read');
      const test = checks.place(new Error());
      const doing = connection.doing();
      return io.report({ kind: 'lost', why: loss?.why ?? 'gone', doing, ...(test ? { test } : {}) });
    },
  };
  return connection;
}

type Loss = Exclude<HostMessage, { readonly op: 'ready' }>;

function lossIn(text: string): Loss | null {
  if (!/^\{"op":"(lost|no isolated-vm)"/.test(text)) return null;
  try {
    const { op, why } = JSON.parse(text) as Loss;
    if (op === 'no isolated-vm') return { op, why: String(why) };
    return { op: 'lost', why: why === 'memory' ? 'memory' : 'exited' };
  } catch {
    return null;
  }
}
