/** Lets one of vitest's threads run tests again and again, since starting one takes longer than most tests. */
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** What tests leave behind in a thread does not add up forever. */
const MAX_RUNS = 200;
/** vitest begins the next run before the thread of the last one has stopped; it may also fail to stop one. */
const STOP_MS = 2_000;

let isKept = false;
let changedFiles = [];
let runs = 0;
/** Ends the thread that was kept, if there is one. */
let end = async () => {};

/**
 * To be called before each run. @param isAgain whether its thread may be one that has run tests, and is kept
 * @param changed absolute paths of the files that such a thread must load again
 */
export async function prepareThread(isAgain, changed) {
  changedFiles = changed;
  await lastStop();
  if (!isAgain || runs >= MAX_RUNS) {
    await end();
    runs = 0;
  }
  runs++;
  isKept = isAgain;
}

/** vitest's option `pool`. @param require resolves vitest */
export async function threadPool(require) {
  const [version] = require('vitest/package.json').version.split('.');
  if (Number(version) < 4) {
    await keepPoolThreads(createRequire(require.resolve('vitest/node')).resolve('tinypool'));
    return 'threads';
  }
  const address = pathToFileURL(require.resolve('vitest/worker')).href;
  return { name: 'hefix', createPoolWorker: options => poolWorker(options, address) };
}

/** Before version 4, vitest takes its threads from the package tinypool, which ends each after its tests. */
async function keepPoolThreads(path) {
  const { Tinypool } = await import(pathToFileURL(path).href);
  const { run } = Tinypool.prototype;
  Tinypool.prototype.run = function (...args) {
    this.options.isolateWorkers = !isKept;
    end = async () => {
      this.options.isolateWorkers = false;
      await this.recycleWorkers();
    };
    return run.apply(this, args);
  };
}

/** The thread that has run tests, and may run them again if they belong to the same project. */
let idle = null;
/** Resolves when the last thread that was started has stopped, or is kept. */
let stopped = Promise.resolve();

async function lastStop() {
  await Promise.race([stopped, wait(STOP_MS, null, { ref: false })]);
}

/** As vitest's pools use it; its start and stop are those of the tests, and not always of the thread. */
function poolWorker({ project, env, execArgv }, address) {
  let thread = null;
  let noteStop = () => {};
  const listeners = [];
  return {
    name: 'hefix',
    async start() {
      await lastStop();
      stopped = new Promise(resolve => {
        noteStop = resolve;
      });
      if (idle?.project !== project) await endKept();
      thread = idle?.thread ?? startThread(env, execArgv, address);
      idle = null;
      end = endKept;
    },
    async stop() {
      for (const each of listeners) thread.off(...each);
      // Node's own cache of modules cannot be emptied.
      const isNative = project.config.experimental?.viteModuleRunner === false;
      if (isKept && !isNative && thread.threadId !== -1) {
        await endKept();
        idle = { project, thread };
      } else await thread.terminate();
      noteStop();
    },
    send(message) {
      if (message.type === 'run') message.context.invalidates = changedFiles;
      thread.postMessage(message);
    },
    on(...each) {
      listeners.push(each);
      thread.on(...each);
    },
    off: (...each) => thread.off(...each),
    deserialize: message => message,
  };
}

function startThread(env, execArgv, address) {
  const file = fileURLToPath(new URL('vitest-thread.mjs', import.meta.url));
  const thread = new Worker(file, { env, execArgv, stdout: true, stderr: true, workerData: address });
  thread.stdout.resume();
  thread.stderr.resume();
  // Without a listener, an error between two runs would end this process.
  thread.on('error', () => {});
  return thread;
}

async function endKept() {
  const thread = idle?.thread;
  idle = null;
  await thread?.terminate();
}
