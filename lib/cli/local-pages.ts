import { once } from 'node:events';
import type { Served } from '../report/viewer/serve.ts';
import type { RunContext } from '../run/run.ts';
import type { Io } from './command.ts';

export type Inspect = NonNullable<RunContext['inspect']>;

/**
 * Runs `work` with or without `--inspect`. On a terminal the page is opened and stays available after the
 * work is done, until Ctrl-C; otherwise it is closed with the work.
 */
export async function withInspection<Result>(
  { inspect, inspectContent }: { readonly inspect: boolean; readonly inspectContent: boolean },
  { terminal, signal }: Io,
  work: (inspect: Inspect | undefined) => Promise<Result>,
): Promise<Result> {
  if (!inspect) return await work(undefined);
  const { openInspection } = await import('../report/viewer/live/inspection.ts');
  const { openBrowser } = await import('../report/viewer/view.ts');
  const inspection = await openInspection({ content: inspectContent });
  const attended = terminal.width() !== null;
  try {
    terminal.write(`the live machine is at ${inspection.address}\n`);
    if (attended) await openBrowser(inspection.address);
    const result = await work(inspection.inspect);
    if (attended && !signal.aborted) {
      terminal.write(terminal.colors.dim('The page stays until Ctrl-C.\n'));
      await once(signal, 'abort');
    }
    return result;
  } finally {
    await inspection.close();
  }
}

/** Prints the address of a local page, opens it in a terminal's browser, and serves it until Ctrl-C. */
export async function showPage(
  served: Served,
  { noOpen }: { readonly noOpen: boolean },
  { print, terminal, signal }: Io,
): Promise<void> {
  print(served.address);
  if (process.stdout.isTTY && !noOpen) {
    const { openBrowser } = await import('../report/viewer/view.ts');
    await openBrowser(served.address);
  }
  terminal.write(terminal.colors.dim('Only this computer can open it. Press Ctrl-C to stop.\n'));
  if (!signal.aborted) await once(signal, 'abort');
  await served.close();
}
