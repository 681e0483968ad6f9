import type { RunParts } from '../lib/run/run.ts';
import type { Io } from './command.ts';

/** The parts of a run; with `--debug` they tell what they do. `above` writes lines above a progress bar. */
export async function partsOf(
  { debug, terminal }: Io,
  above: (text: string) => void = terminal.write,
): Promise<RunParts> {
  const { runParts } = await import('../lib/run/parts.ts');
  const parts = runParts();
  if (!debug) return parts;
  const { debugParts } = await import('../lib/run/debug-parts.ts');
  const { createDebugLog } = await import('../lib/terminal/debug-log.ts');
  return debugParts(
    parts,
    createDebugLog(above, terminal, () => performance.now()),
  );
}
