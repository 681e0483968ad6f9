import type { Socket } from 'node:net';
import { once } from '../../core/async/once.ts';
import type { InnerJail } from '../isolation/isolation.ts';
import type { Forker } from './forker.ts';
import type { Exit, StartedProcess } from './started-process.ts';

/** This side of a forked process's descriptors 0 to 3; null for those that it shares or lacks. */
export type ForkedStreams = readonly [
  stdin: Socket | null,
  stdout: Socket | null,
  stderr: Socket | null,
  report: Socket | null,
];

/** Forks the process of that number into a jail inside the forker's; `command` is what it becomes, if anything. */
export function startForked(
  forker: Forker,
  number: number,
  jail: InnerJail,
  streams: ForkedStreams,
  command: readonly string[] = [],
): StartedProcess {
  const [stdin, stdout, stderr, report] = streams;
  let ended: Exit | undefined;
  const exited = forker.start(number, [jail.words, ...command].join('\t')).then(exit => {
    ended = exit;
    return exit;
  });
  const kill = () => forker.kill(number);
  const destroy = once(async () => {
    kill();
    await exited;
    for (const stream of streams) stream?.destroy();
    await jail.release();
  });
  return {
    child: {
      ...{ stdin, stdout, stderr, stdio: [stdin, stdout, stderr, report, null] },
      get pid() {
        return forker.pid(number);
      },
    },
    complaints: forker.complaints,
    exited,
    hasExited: () => ended !== undefined,
    kill,
    destroy,
  };
}
