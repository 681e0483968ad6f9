import { McpServer } from '@modelcontextprotocol/server';
import { closeInOrder } from '../core/async/close-all.ts';
import { hefixVersion } from '../files/versions.ts';
import type { McpOptions } from '../options/tables/mcp-options.ts';
import type { RunParts } from '../run/run.ts';
import { createCalls } from './calls.ts';
import { registerFixFunction } from './fix-function.ts';
import { registerFixProject } from './fix-project.ts';
import { registerResources } from './resources.ts';
import { registerRunWithTests } from './run-with-tests.ts';
import { createServerParts } from './server-parts.ts';

/** A Model Context Protocol server, independent of its transport. */
export interface HefixServer {
  /** A server for one connection; all connections share sandboxes, model, limits and calls. */
  connection(): McpServer;
  /** Stops the calls in progress, then closes sandboxes and model. */
  close(): Promise<void>;
}

/** @param log receives messages as whole sentences */
export function createHefixServer(
  options: McpOptions,
  parts: Pick<RunParts, 'openSandbox' | 'createModel' | 'repairTask'>,
  log: (sentence: string) => void,
): HefixServer {
  const connections = new Set<McpServer>();
  const shared = createServerParts(options.run, parts, log);
  const calls = createCalls(options, () => {
    for (const server of connections) if (server.isConnected()) server.sendResourceListChanged();
  });
  return {
    connection() {
      const server = new McpServer(
        { name: 'hefix', title: 'hefix', version: hefixVersion() },
        { instructions },
      );
      registerRunWithTests(server, calls, shared);
      registerFixFunction(server, calls, {
        ...shared,
        options: options.run,
        questionTime: options.questionTime,
        repairTask: parts.repairTask,
      });
      if (options.allow.length > 0) registerFixProject(server, calls, shared, options);
      registerResources(server, calls, options.results);
      connections.add(server);
      server.server.onclose = () => connections.delete(server);
      return server;
    },
    close: () => closeInOrder(calls, shared),
  };
}

const instructions =
  'Runs untrusted Python and JavaScript with tests in a sandbox, and repairs functions. A result says whether the code passed and how that was judged; an error says that nothing was judged, why, and what to do. resources/list shows the last calls with every attempt.';
