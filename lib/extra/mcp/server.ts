import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { closeInOrder } from '../../core/async.ts';
import { hefixVersion } from '../../files/package.ts';
import type { RunParts } from '../../run/run.ts';
import { type Calls, createCalls } from './calls.ts';
import { outputOf } from './errors.ts';
import { registerFixFunction } from './fix-function.ts';
import { registerFixProject } from './fix-project.ts';
import type { McpOptions } from './mcp-options.ts';
import { registerResources } from './resources.ts';
import {
  codeInput,
  createServerParts,
  executed,
  executionSchema,
  judgeInput,
  languageInput,
  type ServerParts,
} from './server-parts.ts';

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
  'Runs untrusted programs with tests in a sandbox, and repairs functions. A result says whether the code passed and how that was judged; an error says that nothing was judged, why, and what to do. resources/list shows the last calls, with every attempt of fix_function.';

/** `run_with_tests`: judges code by tests in the sandbox. */
function registerRunWithTests(server: McpServer, calls: Calls, parts: Pick<ServerParts, 'sandbox'>): void {
  server.registerTool(
    'run_with_tests',
    {
      title: 'Run code with tests',
      description:
        'Runs tests against code in a sandbox without network and without your files, and gives a verdict: passed, or why not, with the failing line, the expected and the actual value. Tests are assertions: assert in Python; console.assert or node:assert in JavaScript; a function check(candidate) in both; in Go test functions that may use testify; in Rust #[test] functions; in C++ assert in main; in Java a class Main that calls methods of the code’s class and throws. Go, Rust, C++ and Java need their compilers on this machine.',
      inputSchema: z.object({
        language: languageInput,
        code: codeInput.describe('The whole program that defines the entry point.'),
        tests: z.string().min(1).describe('A program of assertions that calls the entry point.'),
        entry_point: z
          .string()
          .min(1)
          .max(1000)
          .describe(
            'The function or class under test, in Java the method; in Python and JavaScript several names with commas between them.',
          ),
        judge: judgeInput,
      }),
      outputSchema: outputOf(executionSchema),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (input, context) =>
      calls.answer(
        { tool: 'run_with_tests', input, texts: [input.code, input.tests] },
        context,
        async ({ signal, step }) => {
          const { language, code, tests, entry_point: entryPoint, judge } = input;
          step('Opening the sandbox', 2);
          const sandbox = await parts.sandbox(language, signal);
          step('Running the tests', 2);
          const request = { language, candidate: code, tests, entryPoint, judge, counts: true };
          return { result: executed(await sandbox.execute(request, signal), judge) };
        },
      ),
  );
}
