import type { DebugLog } from '../run/debug-parts.ts';
import type { OpenSandbox } from '../run/open-sandbox.ts';
import type { RunParts } from '../run/run.ts';
import type { Io } from './command.ts';

/** The parts of a run; with `--debug` they report what they do. `above` writes lines above a progress bar. */
export async function partsOf(io: Io, above?: (text: string) => void): Promise<RunParts> {
  const { runParts } = await import('../library/run-parts.ts');
  if (!io.debug) return runParts();
  const { debugParts } = await import('../run/debug-parts.ts');
  return debugParts(runParts(), await debugLog(io, above));
}

/** Opens sandboxes; with `--debug` they report what they do. `above` writes lines above a progress bar. */
export async function sandboxOpener(io: Io, above?: (text: string) => void): Promise<OpenSandbox> {
  const { openSandbox } = await import('../run/open-sandbox.ts');
  if (!io.debug) return openSandbox;
  const { debugOpenSandbox } = await import('../run/debug-parts.ts');
  return debugOpenSandbox(openSandbox, await debugLog(io, above));
}

async function debugLog({ terminal }: Io, above = terminal.write): Promise<DebugLog> {
  const { createDebugLog } = await import('../terminal/debug-log.ts');
  return createDebugLog(above, terminal, () => performance.now());
}
