/** A thread in which vitest 4 or newer runs tests. Unlike vitest's own, it can start again after it has stopped. */
import { parentPort, workerData } from 'node:worker_threads';

const { init, runBaseTests, setupEnvironment } = await import(workerData);

/** That of vitest itself, and that of the connection of the last start. */
const listeners = [];
/** The modules of the last run, with their code. */
let loaded = null;

init({
  post: message => parentPort.postMessage(message),
  on(listener) {
    const [before] = listeners.splice(1, 1);
    if (before) parentPort.off('message', before);
    listeners.push(listener);
    parentPort.on('message', listener);
  },
  off: listener => parentPort.off('message', listener),
  teardown() {},
  async runTests(state, traces) {
    for (const path of state.ctx.invalidates)
      for (const module of loaded?.fileToModulesMap.get(path) ?? []) loaded.invalidateModule(module);
    try {
      await runBaseTests('run', state, traces);
    } finally {
      loaded = state.evaluatedModules;
    }
  },
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  // Version 4.0 sets up the environment as part of a run.
  ...(setupEnvironment && { setup: setupEnvironment }),
});
