import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { once } from '../../../core/async.ts';
import type { Jail } from '../../../sandbox/isolation/isolation.ts';
import { frame } from '../../../sandbox/process/messages.ts';
import { type Judges, pairsAtOnce } from '../../../sandbox/process/pairs.ts';
import {
  captureOutput,
  type Exit,
  type StartedProcess,
  startProcess,
} from '../../../sandbox/process/started-process.ts';

/** The first descriptor of the lines and reports, two for each judge. */
const FIRST = 4;
export const DESCRIPTORS = FIRST + 2 * pairsAtOnce;

export interface WarmJudges extends Judges {
  /** Lets the process exit by itself, and waits. */
  finish(): Promise<void>;
}

/** Judges that run one after the other in one virtual machine (Judges.java), which runs no candidate code. */
export function startWarmJudges(jail: Jail): WarmJudges {
  const streams = Array<'pipe'>(2 * pairsAtOnce).fill('pipe');
  const machine = startProcess(jail, ['pipe', 'pipe', 'pipe', 'ignore', ...streams], {});
  const complaints = captureOutput(machine.child.stderr as Readable, 16 * 1024);
  const stream = (descriptor: number) => machine.child.stdio[descriptor] as Socket;
  let next = 0;
  let isBusy = false;
  const left = () => (machine.hasExited() ? 0 : pairsAtOnce - next);

  let ready = () => {};
  machine.child.stdout?.on('data', () => ready());

  /** The machine, for one execution: that has ended when the machine is ready for the next one. */
  const processOf = (report: Socket): StartedProcess => {
    let ended: Exit | undefined;
    const isReady = new Promise<Exit>(resolve => {
      ready = () => resolve({ code: 0, signal: null });
    });
    const exited = Promise.race([isReady, machine.exited]).then(exit => {
      ended = exit;
      return exit;
    });
    return {
      child: machine.child,
      exited,
      hasExited: () => ended !== undefined,
      kill: machine.kill,
      destroy: once(async () => {
        if (ended === undefined || left() === 0) await machine.destroy();
        report.destroy();
        isBusy = false;
      }),
    };
  };
  return {
    lines: Array.from({ length: pairsAtOnce }, (_, number) => stream(FIRST + 2 * number)),
    start({ argv }) {
      if (isBusy || left() === 0) return null;
      isBusy = true;
      const number = next++;
      const [line, report] = [FIRST + 2 * number, FIRST + 2 * number + 1];
      machine.child.stdin?.write(Buffer.concat([String(line), String(report), ...argv].map(frame)));
      return {
        ...{ number, line: stream(line), channel: stream(report), complaints },
        process: processOf(stream(report)),
      };
    },
    left,
    async finish() {
      machine.child.stdin?.end();
      await machine.exited;
    },
    destroy: machine.destroy,
  };
}
