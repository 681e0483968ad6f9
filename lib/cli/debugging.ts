import type { DebugLog } from '../run/debug-parts.ts';
import type { OpenSandbox } from '../run/open-sandbox.ts';
import type { RunParts } from '../run/run.ts';
import type { Io } from './command.ts';

/** The parts of a run; with `--debug` they report what they do. `writeAbove` writes lines above a progress bar. */
export async function partsOf(io: Io, writeAbove?: (text: string) => void): Promise<RunParts> {
  const { runParts } = await import('../library/run-parts.ts');
  if (!io.debug) return runParts();
  const { debugParts } = await import('../run/debug-parts.ts');
  return debugParts(runParts(), await debugLog(io, writeAbove));
}

/** Opens sandboxes; with `--debug` they report what they do. `writeAbove` writes lines above a progress bar. */
export async function sandboxOpener(io: Io, writeAbove?: (text: string) => void): Promise<OpenSandbox> {
  const { openSandbox } = await import('../run/open-sandbox.ts');
  if (!io.debug) return openSandbox;
  const { debugOpenSandbox } = await import('../run/debug-parts.ts');
  return debugOpenSandbox(openSandbox, await debugLog(io, writeAbove));
}

async function debugLog({ terminal }: Io, writeAbove = terminal.write): Promise<DebugLog> {
  const { createDebugLog } = await import('../terminal/debug-log.ts');
  return createDebugLog(writeAbove, terminal, () => performance.now());
}
