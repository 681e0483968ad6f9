import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from '../../cli/command.ts';
import { partsOf } from '../../cli/debugging.ts';
import { reason } from '../../core/errors.ts';
import { printable } from '../../core/text.ts';
import { withWorkers } from '../../options/settings.ts';
import type { RunParts } from '../../run/run.ts';
import { type McpOptions, mcpOptions, parseMcpOptions } from './mcp-options.ts';
import { createHefixServer } from './server.ts';

export const command: Command = {
  description:
    'Offers the sandbox and the repair of functions to other agents: a server of the Model Context Protocol on stdin and stdout.',
  options: mcpOptions,
  examples: ['hefix mcp', 'hefix mcp --allow ~/projects --model qwen2.5-coder-0.5b'],
  async run(input, io) {
    const options = parseMcpOptions(withWorkers(input, process.env));
    // Never on stdout, which carries the protocol.
    const log = (sentence: string) => io.terminal.write(`hefix mcp: ${printable(sentence)}\n`);
    await mcp(options, await partsOf(io), log, io.signal);
    return 0;
  },
};

/** Serves the Model Context Protocol on stdin and stdout until stdin is closed or the signal is aborted. */
async function mcp(
  options: McpOptions,
  parts: RunParts,
  log: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
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
