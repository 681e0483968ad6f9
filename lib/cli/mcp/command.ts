import { printable } from '../../core/printable.ts';
import { withWorkers } from '../../options/environment.ts';
import { mcpOptions, parseMcpOptions } from '../../options/tables/mcp-options.ts';
import type { Command } from '../command.ts';
import { partsOf } from '../debugging.ts';

export const mcpCommand: Command = {
  description:
    'Offers the sandbox and the repair of functions to other agents: a server of the Model Context Protocol on stdin and stdout.',
  options: mcpOptions,
  examples: ['hefix mcp', 'hefix mcp --allow ~/projects --model qwen2.5-coder-0.5b'],
  async run(given, io) {
    const options = parseMcpOptions(withWorkers(given, process.env));
    const { mcp } = await import('./mcp.ts');
    const log = (sentence: string) => io.terminal.write(`hefix mcp: ${printable(sentence)}\n`);
    await mcp(options, await partsOf(io), { log, signal: io.signal });
    return 0;
  },
};
