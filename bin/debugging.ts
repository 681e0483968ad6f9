import { createDebugLog, debugParts, type RunParts, runParts } from '../lib/index.ts';
import type { Io } from './command.ts';

/** The parts of a run; with `--debug` they tell what they do. `above` writes lines above a progress bar. */
export function partsOf({ debug, terminal }: Io, above: (text: string) => void = terminal.write): RunParts {
  const parts = runParts();
  return debug
    ? debugParts(
        parts,
        createDebugLog(above, terminal, () => performance.now()),
      )
    : parts;
}
