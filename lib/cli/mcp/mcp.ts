import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { reason } from '../../core/errors.ts';
import { createHefixServer } from '../../mcp/server.ts';
import type { McpOptions } from '../../options/tables/mcp-options.ts';
import type { RunParts } from '../../run/run.ts';

export interface McpContext {
  /** Receives messages as whole sentences; never writes to stdout, which carries the protocol. */
  readonly log: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** Serves the Model Context Protocol on stdin and stdout until stdin is closed or the signal is aborted. */
export async function mcp(options: McpOptions, parts: RunParts, { log, signal }: McpContext): Promise<void> {
  const server = createHefixServer(options, parts, log);
  const transport = new StdioServerTransport();
  const ended = new Promise<void>(resolve => {
    const handle = serveStdio(() => server.connection(), {
      transport,
      onerror: error => log(`The connection reports: ${reason(error)}.`),
    });
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      resolve();
    };
    const interrupt = () => void handle.close().finally(resolve);
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt, { once: true });
  });
  log('Serving the Model Context Protocol on stdin and stdout.');
  await ended;
  await server.close();
}
