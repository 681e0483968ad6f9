import type { Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { z } from 'zod';
import { once } from '../../core/async.ts';
import type { Exit, StartedProcess } from '../../sandbox/process/started-process.ts';
import type { Container } from './container.ts';
import type { ContainerPython } from './container-python.ts';

const exitSchema = z.object({ code: z.number().nullable(), signal: z.string().nullable() });

/**
 * Starts a candidate's process in a ready container, and relays data between it and the judge's channel.
 * `destroy` clears the container for the next process.
 */
export function startInContainer(
  container: Container,
  python: ContainerPython,
  channel: Socket,
): StartedProcess {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let ended: Exit | undefined;
  let onEnd: (exit: Exit) => void = () => {};
  const exited = new Promise<Exit>(resolve => {
    onEnd = resolve;
  });
  const end = (exit: Exit) => {
    if (ended) return;
    ended = exit;
    forget();
    channel.end();
    stdout.end();
    stderr.end();
    onEnd(exit);
  };

  const relay = (stream: Duplex, body: Buffer): void => {
    if (!stream.writableEnded) stream.write(body);
    if (stream.writableLength + stream.readableLength > MAX_UNREAD_BYTES) stop();
  };

  const forget = container.onGone(() => end({ code: null, signal: null }));
  const { executable } = python.programs;
  const argv = [executable, ...python.programs.arguments('candidate')];
  container.start(argv, python.environment, ({ kind, body }) => {
    if (kind === 'd') relay(channel, body);
    if (kind === 'o') relay(stdout, body);
    if (kind === 'e') relay(stderr, body);
    if (kind === 'x') end(readExit(body));
  });
  channel.on('error', () => {});
  channel.on('data', async bytes => {
    if (container.write(bytes)) return;
    channel.pause();
    await container.drained();
    channel.resume();
  });
  channel.on('end', () => container.closeInput());

  const clear = once(() => container.reset().catch(() => {}));
  const stop = (): void => {
    clear().then(() => end({ code: null, signal: 'SIGKILL' }));
  };
  return {
    child: { stdin: null, stdout, stderr, stdio: [null, stdout, stderr, null, null] },
    exited,
    hasExited: () => ended !== undefined,
    waited: () => container.waited(),
    kill: stop,
    async destroy() {
      await clear();
      end({ code: null, signal: 'SIGKILL' });
      channel.destroy();
    },
  };
}

/**
 * What a candidate may send ahead of its judge, which reads messages of at most 16 MiB one after the other, and ahead of
 * the readers of its output.
 */
const MAX_UNREAD_BYTES = 64 * 2 ** 20;

function readExit(body: Buffer): Exit {
  const { code, signal } = exitSchema.parse(JSON.parse(body.toString()));
  return { code, signal: signal as NodeJS.Signals | null };
}
