import type { Sandbox, TextModel } from '../core/ports.ts';
import type { Dataset, RunParts } from './run.ts';

export interface SharedParts {
  readonly parts: RunParts;
  /** Closes what the runs left open. */
  close(): Promise<void>;
}

/** Parts for several runs with the same dataset, model and sandbox: each is opened once, by the first run. */
export function shareParts(parts: RunParts): SharedParts {
  const opened: Promise<{ close(): Promise<void> }>[] = [];
  const kept = async <Part extends { close(): Promise<void> }>(part: Promise<Part>) => {
    opened.push(part);
    return { ...(await part), close: async () => {} };
  };
  let dataset: Promise<Dataset> | undefined;
  const sandboxes = new Map<number, Promise<Sandbox>>();
  let model: Promise<TextModel> | undefined;
  return {
    parts: {
      ...parts,
      loadDataset(options, context) {
        dataset ??= parts.loadDataset(options, context);
        return dataset;
      },
      openSandbox(options, language) {
        const { hashSeed = 0 } = options;
        const sandbox = sandboxes.get(hashSeed) ?? kept(parts.openSandbox(options, language));
        sandboxes.set(hashSeed, sandbox);
        return sandbox;
      },
      createModel(options, context) {
        // A script's answers are consumed, so each run starts it again.
        if (options.backend === 'scripted') return parts.createModel(options, context);
        model ??= kept(parts.createModel(options, context));
        return model;
      },
    },
    async close() {
      const all = await Promise.allSettled(opened);
      const closed = all.map(async part => part.status === 'fulfilled' && part.value.close());
      // The results are written; a part that cannot be closed must not keep the others open.
      await Promise.allSettled(closed);
    },
  };
}
