import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { repairBroke, testsOrExamples } from '../core/errors.ts';
import type { Execution, JudgeKind, Sandbox } from '../core/ports.ts';
import { unifiedDiff } from '../core/record.ts';
import type { Task } from '../core/task.ts';
import { verdictKinds } from '../core/verdict.ts';
import type { RunOptions } from '../options/run-options.ts';
import type { RunParts } from '../run/run.ts';
import { openParser } from '../syntax/parser.ts';
import type { Answer, Call, Calls } from './calls.ts';
import { codeTask } from './code-task.ts';
import type { ServerParts } from './server-parts.ts';
import { outputOf } from './tool-error.ts';
import { codeInput, judgeInput, languageInput } from './tool-input.ts';
import { judged, judgedSchema } from './verdict-result.ts';

const inputSchema = z.object({
  language: languageInput.default('python'),
  code: codeInput.describe('The program with the function to repair, its imports and helpers.'),
  tests: z
    .string()
    .min(1)
    .optional()
    .describe('A program of assertions that calls the function. Give either tests or examples.'),
  examples: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Calls with their values, one per line: median([3, 1, 2]) == 2. Without tests and examples, those in the docstring decide.',
    ),
  entry_point: z.string().min(1).optional().describe('The function to repair, if the code has several.'),
  iterations: z
    .number()
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('Repair iterations after the first attempt; as the server was started unless given.'),
  judge: judgeInput,
});
type Input = z.infer<typeof inputSchema>;

const resultSchema = judgedSchema.extend({
  outcome: z.enum(['repaired', 'nothing-to-repair', 'not-repaired']),
  code: z.string().nullable().describe('The whole repaired code, which passed the tests; else null.'),
  diff: z.string().describe('Unified, from the given to the repaired code; empty if there is none.'),
  attempts: z
    .array(
      z.object({
        iteration: z.number().int(),
        verdict: z.enum(verdictKinds).nullable(),
        message: z.string(),
      }),
    )
    .describe('What was tried, in order.'),
  model: z.string(),
});
type Result = z.infer<typeof resultSchema>;

export interface FixFunctionParts extends ServerParts {
  readonly options: RunOptions;
  readonly repairTask: RunParts['repairTask'];
}

/** `fix_function`: repairs one function with the server's model. */
export function registerFixFunction(server: McpServer, calls: Calls, parts: FixFunctionParts): void {
  server.registerTool(
    'fix_function',
    {
      title: 'Repair a function',
      description:
        'Repairs one Python or JavaScript function so that its tests or examples pass: a model and a search propose changes, and tests in a sandbox decide. Gives the repaired code and its diff, or what was tried. Writes no files.',
      inputSchema,
      outputSchema: outputOf(resultSchema),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: parts.options.backend === 'openai',
      },
    },
    (input, context) =>
      calls.answer(
        { tool: 'fix_function', input, texts: [input.code, input.tests, input.examples] },
        context,
        call => fixFunction(input, call, parts),
      ),
  );
}

async function fixFunction(input: Input, call: Call, parts: FixFunctionParts): Promise<Answer<Result>> {
  const { signal } = call;
  if (input.tests !== undefined && input.examples !== undefined) throw testsOrExamples();
  const options = { ...parts.options, iters: input.iterations ?? parts.options.iters };
  const step = (message: string) => call.step(message, options.iters + 5);
  const { language, entry_point: entryPoint } = input;
  const { task, codeWith } = codeTask(await openParser(language), { ...input, entryPoint });
  step('Opening the sandbox');
  const sandbox = judgingBy(input.judge, task, await parts.sandbox(language, signal));
  const judge = (candidate: string) =>
    sandbox.execute({ language, candidate, tests: task.tests, entryPoint: task.entryPoint }, signal);
  step('Running the tests with the given code');
  const before = await judge(input.code);
  const unchanged = { code: null, diff: '', attempts: [] };
  step('Loading the model');
  if (before.verdict.kind === 'passed') {
    const { model } = parts.options;
    return { result: { ...judged(before), outcome: 'nothing-to-repair', ...unchanged, model } };
  }
  const model = await parts.model(signal);
  step('Asking for a repair');
  const { state, cause, attempts, path } = await parts.repairTask(options)({
    task,
    sample: 0,
    model,
    sandbox,
    seed: options.seed,
    signal,
    onState: () => {},
    onAttempt: ({ iteration, verdict }) => step(`Attempt ${iteration + 1}: ${verdict?.kind ?? 'not run'}`),
  });
  if (cause) throw repairBroke(cause);
  const details = { attempts, path };
  const tried = {
    attempts: attempts.map(({ iteration, verdict }) => ({
      iteration,
      verdict: verdict?.kind ?? null,
      message: verdict?.message ?? '',
    })),
    model: model.name,
  };
  const last = attempts.at(-1);
  if (state !== 'solved' || last?.candidate == null) {
    const verdict = attempts.findLast(attempt => attempt.verdict !== null)?.verdict ?? before.verdict;
    const result = judged({ ...before, verdict });
    return { result: { ...result, outcome: 'not-repaired', ...unchanged, ...tried }, details };
  }
  const { code, execution } = await proven([codeWith(last.candidate), last.candidate], judge);
  const result: Result = {
    ...judged(execution),
    outcome: execution.verdict.kind === 'passed' ? 'repaired' : 'not-repaired',
    code: execution.verdict.kind === 'passed' ? code : null,
    diff: execution.verdict.kind === 'passed' ? unifiedDiff(input.code, code) : '',
    ...tried,
  };
  return { result, details };
}

/** The first program that passes, so that the verdict applies to the code that is returned. */
async function proven(programs: readonly [string, string], judge: (code: string) => Promise<Execution>) {
  const [first, second] = programs;
  const execution = await judge(first);
  if (execution.verdict.kind === 'passed') return { code: first, execution };
  return { code: second, execution: await judge(second) };
}

/** The task's tests are judged as the call requests; all other executions are hefix's own. */
function judgingBy(judge: JudgeKind, { tests }: Task, sandbox: Sandbox): Sandbox {
  return {
    ...sandbox,
    execute: (request, signal) =>
      sandbox.execute(request.tests === tests ? { ...request, judge } : request, signal),
  };
}
