import { once } from 'node:events';
import type { Served } from '../viewer/serve.ts';
import type { Io } from './command.ts';

/** Prints the address of a local page, opens it in a terminal's browser, and serves it until Ctrl-C. */
export async function showPage(
  served: Served,
  { noOpen }: { readonly noOpen: boolean },
  { print, terminal, signal }: Io,
): Promise<void> {
  print(served.address);
  if (process.stdout.isTTY && !noOpen) {
    const { openBrowser } = await import('../viewer/view.ts');
    await openBrowser(served.address);
  }
  terminal.write(terminal.colors.dim('Only this computer can open it. Press Ctrl-C to stop.\n'));
  if (!signal.aborted) await once(signal, 'abort');
  await served.close();
}
