import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Calls } from './calls.ts';
import type { ServerParts } from './server-parts.ts';
import { outputOf } from './tool-error.ts';
import { codeInput, judgeInput, languageInput } from './tool-input.ts';
import { executed, executionSchema } from './verdict-result.ts';

/** `run_with_tests`: judges code by tests in the sandbox. */
export function registerRunWithTests(
  server: McpServer,
  calls: Calls,
  parts: Pick<ServerParts, 'sandbox'>,
): void {
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
          return { result: executed(await sandbox.execute(request, signal)) };
        },
      ),
  );
}
