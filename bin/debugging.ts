import type { DebugLog } from '../lib/run/debug-parts.ts';
import type { OpenSandbox } from '../lib/run/open-sandbox.ts';
import type { RunParts } from '../lib/run/run.ts';
import type { Io } from './command.ts';

/** The parts of a run; with `--debug` they report what they do. `above` writes lines above a progress bar. */
export async function partsOf(io: Io, above?: (text: string) => void): Promise<RunParts> {
  const { runParts } = await import('../lib/commands/run-parts.ts');
  if (!io.debug) return runParts();
  const { debugParts } = await import('../lib/run/debug-parts.ts');
  return debugParts(runParts(), await debugLog(io, above));
}

/** Opens sandboxes; with `--debug` they report what they do. `above` writes lines above a progress bar. */
export async function sandboxOpener(io: Io, above?: (text: string) => void): Promise<OpenSandbox> {
  const { openSandbox } = await import('../lib/run/open-sandbox.ts');
  if (!io.debug) return openSandbox;
  const { debugOpenSandbox } = await import('../lib/run/debug-parts.ts');
  return debugOpenSandbox(openSandbox, await debugLog(io, above));
}

async function debugLog({ terminal }: Io, above = terminal.write): Promise<DebugLog> {
  const { createDebugLog } = await import('../lib/terminal/debug-log.ts');
  return createDebugLog(above, terminal, () => performance.now());
}
