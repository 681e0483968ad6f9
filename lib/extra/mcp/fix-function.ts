import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { RequestedJudge, Sandbox } from '../../core/ports.ts';
import { verdictKinds } from '../../core/verdict.ts';
import { type Program, readProgram } from '../../fix/function/program.ts';
import { repairProgram } from '../../fix/function/repair-program.ts';
import type { RunOptions } from '../../options/tables/run-options.ts';
import type { RunParts } from '../../run/run.ts';
import type { Answer, Call, Calls } from './calls.ts';
import { outputOf, testsOrExamples } from './errors.ts';
import {
  codeInput,
  judged,
  judgedSchema,
  judgeInput,
  languageInput,
  nameInput,
  type ServerParts,
} from './server-parts.ts';

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
      'Calls with their values, one per line: median([3, 1, 2]) == 2. Without tests and examples, those in the docstrings decide.',
    ),
  entry_point: nameInput
    .optional()
    .describe('The function to repair; by default those that the tests use, then those that they call.'),
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

const questionSchema = z
  .object({
    call: z.string(),
    repairs: z.number().int().describe('Repairs that pass and were compared.'),
    behaviours: z.number().int().describe('How many different behaviours they have.'),
    answers: z.array(
      z.object({
        does: z.string().describe('What the call does: returns 0, raises IndexError.'),
        repairs: z.number().int(),
        diff: z.string().describe('The likeliest repair that does this.'),
        test: z.string().nullable().describe('An assertion of it, to add to the tests.'),
      }),
    ),
  })
  .describe(
    'A call on which repairs differ that the tests allow; the first answer is that of `code`. Decide which one is meant, apply its diff instead if it is another, and add its test. Null if no such repairs were found.',
  );
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
  question: questionSchema.nullable(),
  model: z.string(),
});
type Result = z.infer<typeof resultSchema>;

export interface FixFunctionParts extends ServerParts {
  readonly options: RunOptions;
  /** Seconds to look for other repairs. */
  readonly questionTime: number;
  readonly repairTask: RunParts['repairTask'];
}

/** `fix_function`: repairs one function with the server's model. */
export function registerFixFunction(server: McpServer, calls: Calls, parts: FixFunctionParts): void {
  server.registerTool(
    'fix_function',
    {
      title: 'Repair a function',
      description:
        'Repairs one function in Python, JavaScript, Go, Rust, C++ or Java so that its tests or examples pass: a model and a search propose changes, and tests in a sandbox decide. Gives the repaired code and its diff, or what was tried. Writes no files.',
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
  let { model } = options;
  const program = await readProgram({ ...input, entryPoint: input.entry_point });
  step('Opening the sandbox');
  const sandbox = judgingBy(input.judge, program, await parts.sandbox(program.language, signal));
  step('Running the tests with the given code');
  const { outcome, code, diff, execution, attempts, question, path } = await repairProgram(program, {
    sandbox,
    signal,
    questionSeconds: parts.questionTime,
    async openModel() {
      step('Loading the model');
      const opened = await parts.model(signal);
      model = opened.name;
      return opened;
    },
    repairTask: given =>
      parts.repairTask(options)({ ...given, sample: 0, seed: options.seed, onState: () => {} }),
    onAttempt: ({ iteration, verdict }) => step(`Attempt ${iteration + 1}: ${verdict?.kind ?? 'not run'}`),
  });
  return {
    result: {
      ...judged(execution, input.judge),
      outcome,
      code: outcome === 'repaired' ? code : null,
      diff,
      attempts: attempts.map(({ iteration, verdict }) => ({
        iteration,
        verdict: verdict?.kind ?? null,
        message: verdict?.message ?? '',
      })),
      question: question && { ...question, answers: [...question.answers] },
      model,
    },
    details: { attempts, path },
  };
}

/** The program's tests are judged as the call requests; all other executions are hefix's own. */
function judgingBy(judge: RequestedJudge, { tests }: Program, sandbox: Sandbox): Sandbox {
  return {
    ...sandbox,
    execute: (request, signal) =>
      sandbox.execute(request.tests === tests ? { ...request, judge } : request, signal),
  };
}
