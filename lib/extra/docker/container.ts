import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import type { HefixError } from '../../core/errors.ts';
import { packageFile } from '../../files/package.ts';
import { sandboxFailed } from '../../sandbox/errors.ts';
import { workFolder } from '../../sandbox/isolation/jail-text.ts';
import { frame, readMessages } from '../../sandbox/process/messages.ts';
import { containerName, type DockerSettings, engineError, labels, removeContainers } from './engine.ts';

/** A message from a container's first process; init.py lists the kinds. */
interface Message {
  readonly kind: string;
  readonly body: Buffer;
}

/** A warm container, which runs one program at a time. */
export interface Container {
  /** Starts a program; `onMessage` gets its output (`o`, `e`) and its end (`x`). `argv[0]` may be '' for Python. */
  start(
    argv: readonly string[],
    env: Readonly<Record<string, string>>,
    onMessage: (message: Message) => void,
  ): void;
  /** Writes to the program's standard input; false if the caller should wait for `drained`. */
  write(bytes: Buffer): boolean;
  closeInput(): void;
  /** Milliseconds that the program has waited for a processor; 0 if the container does not answer. */
  waited(): Promise<number>;
  drained(): Promise<void>;
  /**
   * Ends everything that runs in it and removes all files; resolves when it is ready for the next program.
   */
  reset(): Promise<void>;
  /** Why it has ended; null while it runs. */
  fault(): HefixError | null;
  /**
   * Calls the listener once if the container ends unexpectedly; returns a function that removes the listener.
   */
  onGone(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Milliseconds to wait for how long the program has waited. */
const answerPatience = 1000;
/** Milliseconds that a container may take to clear up or to end before it is removed by force. */
const patience = 10_000;

/** Starts a container and waits until it is ready. Throws the HefixErrors of engine.ts. */
export async function startContainer(
  settings: DockerSettings,
  memoryMiB: number,
  workFolderMiB: number,
): Promise<Container> {
  const name = containerName();
  const [file = '', ...first] = settings.command;
  const args = [...first, ...runArguments(settings, name, memoryMiB, workFolderMiB)];
  // Its own process group: Ctrl-C goes only to hefix, which ends its containers itself.
  const engine = execa(file, args, { cwd: '/', buffer: false, reject: false, detached: true });
  let complaint = '';
  let onMessage: (message: Message) => void = () => {};
  let onReady: () => void = () => {};
  let onWaited: (milliseconds: number) => void = () => {};
  let fault: HefixError | null = null;
  let closing = false;
  const goneListeners = new Set<() => void>();

  const gone = engine.then(({ code, exitCode, originalMessage }) => {
    const reason = complaint || originalMessage || `the container ended with status ${exitCode}`;
    fault ??= engineError(settings, code === 'ENOENT' ? null : reason);
    if (!closing) for (const listener of goneListeners) listener();
    onReady();
  });
  engine.stdin.on('error', () => {});
  engine.stderr.on('data', (piece: Buffer) => {
    complaint = (complaint + piece.toString()).slice(-4096);
  });
  // All output of all processes comes this way, so that only single messages have a limit.
  const limits = { bytes: 2 ** 20, total: Number.POSITIVE_INFINITY, messages: Number.POSITIVE_INFINITY };
  readMessages(engine.stdout, 'frames', limits, {
    onMessage(bytes) {
      const message = { kind: bytes.toString('latin1', 0, 1), body: bytes.subarray(1) };
      if (message.kind === 'r') onReady();
      else if (message.kind === 'w') onWaited(Number(message.body));
      else onMessage(message);
    },
    onExcess: () => engine.kill('SIGKILL'),
  });
  const ready = () =>
    new Promise<void>(resolve => {
      onReady = resolve;
    });

  const send = (kind: string, body: Buffer | string = '') =>
    engine.stdin.write(frame(Buffer.concat([Buffer.from(kind), Buffer.from(body)])));
  const container: Container = {
    start(argv, env, listener) {
      onMessage = listener;
      send('s', JSON.stringify({ argv, env }));
    },
    write: bytes => send('i', bytes),
    closeInput: () => {
      send('c');
    },
    async waited() {
      const answered = new Promise<number>(resolve => {
        onWaited = resolve;
      });
      send('w');
      return await Promise.race([answered, gone.then(() => 0), pause(answerPatience, 0, { ref: false })]);
    },
    async drained() {
      if (engine.stdin.writableNeedDrain) await Promise.race([once(engine.stdin, 'drain'), gone]);
    },
    async reset() {
      const cleared = ready();
      send('k');
      if (!(await within(patience, cleared))) {
        fault ??= sandboxFailed('a container did not clear up');
        await container.close();
      }
      onMessage = () => {};
      if (fault) throw fault;
    },
    fault: () => fault,
    onGone: listener => {
      goneListeners.add(listener);
      return () => goneListeners.delete(listener);
    },
    async close() {
      closing = true;
      fault ??= sandboxFailed('the container was closed');
      // The first process ends when its input does, and the engine then removes the container.
      engine.stdin.end();
      if (await within(patience, gone)) return;
      // The engine may be removing it already; the next start sweeps what is left.
      await removeContainers(settings, [name]).catch(() => {});
      engine.kill('SIGKILL');
    },
  };

  await ready();
  if (fault) throw fault;
  return container;
}

function runArguments(
  settings: DockerSettings,
  name: string,
  memoryMiB: number,
  workFolderMiB: number,
): string[] {
  // Files in the work folder count as memory; the rest is for the two interpreters.
  const memory = settings.memory ?? `${memoryMiB + workFolderMiB + 64}m`;
  return [
    ...['run', '--rm', '--interactive', '--pull', 'never', '--name', name],
    ...labels().flatMap(label => ['--label', label]),
    ...['--network', 'none', '--ipc', 'none', '--hostname', 'hefix', '--log-driver', 'none'],
    ...['--read-only', '--tmpfs', `${workFolder}:rw,noexec,nosuid,nodev,size=${workFolderMiB}m,mode=1777`],
    ...['--user', '65534:65534', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--memory', memory, '--memory-swap', memory, '--cpus', String(settings.cpus)],
    ...['--pids-limit', String(settings.pids), '--entrypoint', 'python3'],
    ...[
      settings.image,
      '-I',
      '-S',
      '-B',
      '-c',
      readFileSync(packageFile('lib/extra/docker/init.py'), 'utf8'),
    ],
  ];
}

async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const result = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return result;
}
