import type { Closable } from '../core/async/close-all.ts';
import { unlessAborted } from '../core/async/unless-aborted.ts';
import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Language } from '../core/task.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import type { RunParts } from '../run/run.ts';
import { serverClosed } from './errors.ts';

/** The sandboxes and the model that all calls share; each is opened by the first call that needs it. */
export interface ServerParts extends Closable {
  /** Rejects with the HefixErrors of opening it, or with the signal's reason; the next call retries. */
  sandbox(language: Language, signal: AbortSignal): Promise<Sandbox>;
  /** Like `sandbox`. */
  model(signal: AbortSignal): Promise<TextModel>;
}

/** @param log receives messages as whole sentences */
export function createServerParts(
  options: RunOptions,
  parts: Pick<RunParts, 'openSandbox' | 'createModel'>,
  log: (sentence: string) => void,
): ServerParts {
  const opened = new Map<string, Promise<Closable>>();
  const closing = new AbortController();

  async function shared<Part extends Closable>(
    name: string,
    open: () => Promise<Part>,
    signal: AbortSignal,
  ): Promise<Part> {
    closing.signal.throwIfAborted();
    const known = opened.get(name) as Promise<Part> | undefined;
    const part = known ?? open();
    opened.set(name, part);
    // The next attempt may succeed: a package was installed, a server was started.
    if (!known) part.catch(() => opened.delete(name));
    return await unlessAborted(part, signal);
  }

  const openSandbox = async (language: Language): Promise<Sandbox> => {
    const sandbox = await parts.openSandbox(options, language);
    if (sandbox.warning && options.isolation === undefined) log(sandbox.warning);
    return sandbox;
  };
  const createModel = () => parts.createModel(options, { warn: log, signal: closing.signal });

  return {
    sandbox: (language, signal) => shared(`sandbox ${language}`, () => openSandbox(language), signal),
    model: signal => shared('model', createModel, signal),
    async close() {
      closing.abort(serverClosed());
      const all = await Promise.allSettled(opened.values());
      const closed = all.map(async part => part.status === 'fulfilled' && part.value.close());
      await Promise.allSettled(closed);
    },
  };
}
