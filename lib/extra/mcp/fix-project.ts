import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { judgeKinds } from '../../core/ports.ts';
import { isolationLevels } from '../../core/verdict.ts';
import { fix } from '../../fix/fix.ts';
import { unifiedDiff } from '../../fix/patch/unified-diff.ts';
import { type FixEvent, titleOf } from '../../fix/report.ts';
import { parseOptions } from '../../options/option.ts';
import { fixOptions } from '../../options/tables/fix-options.ts';
import { pricesOf } from '../../options/tables/model-options.ts';
import { writesCode } from '../../run/model/create-model.ts';
import type { Answer, Call, Calls } from './calls.ts';
import { outputOf } from './errors.ts';
import type { McpOptions } from './mcp-options.ts';
import {
  allowedPath,
  judgeDescription,
  MAX_NAME_LENGTH,
  MAX_PATH_BYTES,
  type ServerParts,
} from './server-parts.ts';

const inputSchema = z.object({
  path: z
    .string()
    .min(1)
    .max(MAX_PATH_BYTES + MAX_NAME_LENGTH)
    .describe('A folder, a file, or file::function. Relative paths count from the first allowed folder.'),
  tests: z
    .array(z.string().min(1).max(MAX_PATH_BYTES))
    .max(100)
    .default([])
    .describe(
      'Files or folders of tests. Unless given, those of the folder; for a file its docstring examples and the test files named after it.',
    ),
  seconds: z.number().min(1).max(3600).default(60).describe('Time for the whole repair.'),
  suspects_only: z.boolean().default(false).describe('Only rank the suspects.'),
});
type Input = z.infer<typeof inputSchema>;

const countsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });
const suspectSchema = z.object({
  kind: z.enum(['function', 'constant']).describe('constant: a value outside of functions, which they read.'),
  file: z.string(),
  function: z.string().describe('The name of the function or constant.'),
  line: z.number().int(),
});
const lineSchema = z.object({ line: z.number().int(), source: z.string() });
const questionSchema = z
  .object({
    file: z.string(),
    function: z.string(),
    call: z.string(),
    repairs: z.number().int().describe('Repairs that pass all tests and were compared.'),
    behaviours: z.number().int().describe('How many different behaviours they have.'),
    answers: z.array(
      z.object({
        does: z.string().describe('What the call does: returns 0, raises IndexError.'),
        repairs: z.number().int(),
        diff: z.string().describe('The likeliest repair that does this.'),
        test: z
          .object({ file: z.string(), code: z.string() })
          .nullable()
          .describe('A test of it, as the project writes its tests; add it to the file.'),
      }),
    ),
    chosen: z.null(),
  })
  .describe(
    'A call on which repairs differ that all tests allow; the first answer is that of `diff`. Decide which one is meant, apply its diff instead if it is another, and add its test. Null if no such repairs were found.',
  );
const resultSchema = z.object({
  outcome: z
    .enum(['repaired', 'unsure', 'partly', 'nothing-to-repair', 'not-repaired'])
    .describe(
      'unsure: all tests pass, but with a kind of change that is seldom meant, so read it before you apply it. partly: fewer tests fail than before, and some still do.',
    ),
  unsure: z
    .string()
    .nullable()
    .describe('What a change does that is seldom meant, such as "exchanges a variable"; null for none.'),
  diff: z.string().describe('Unified, as git apply takes it; empty if there is none. Nothing was written.'),
  files: z.array(z.string()).describe('The files that the diff changes, relative to the project.'),
  project: z.string(),
  runner: z.string(),
  judge: z.enum(judgeKinds).nullable().describe(`${judgeDescription} Null if nothing was repaired.`),
  isolation: z.enum(isolationLevels),
  before: countsSchema,
  after: countsSchema,
  failing: z
    .array(
      z.object({
        id: z.string(),
        message: z.string(),
        place: lineSchema
          .extend({ file: z.string() })
          .optional()
          .describe('The line of the test that fails.'),
        expected: z.string().optional(),
        actual: z.string().optional(),
        isTelling: z.boolean().describe('Whether to look at this test first.'),
      }),
    )
    .describe('Before the repair.'),
  stillFailing: z.array(z.object({ id: z.string(), message: z.string() })).describe('After the repair.'),
  flaky: z.array(z.string()),
  elsewhere: z
    .array(z.string())
    .describe('Tests that need what the sandbox does not have; `notes` says what. They are not repaired.'),
  suspects: z.array(
    suspectSchema.extend({
      suspicion: z.number(),
      lines: z.array(lineSchema).describe('Its most suspicious lines.'),
    }),
  ),
  repairs: z.array(suspectSchema.extend({ origin: z.string() })),
  question: questionSchema.nullable(),
  alternatives: z
    .array(z.string())
    .describe('Diffs of other repairs that pass all tests: the more there are, the less the tests say.'),
  mutants: z
    .object({ tried: z.number().int(), rejected: z.number().int() })
    .nullable()
    .describe('Single edits of the changed expression that were tried, and those that the tests reject.'),
  tried: z.number().int().describe('Candidates that were run.'),
  model: z
    .object({
      requests: z.number().int(),
      promptTokens: z.number().int(),
      completionTokens: z.number().int(),
      cost: z.number().nullable().describe('In the currency of the prices; null without prices.'),
      failure: z.string().nullable().describe('Why it was never reached; null if it answered.'),
    })
    .nullable()
    .describe("What a server's model was asked; null without one."),
  timeUp: z.boolean(),
  seconds: z.number(),
  notes: z.array(z.string()),
});
type Result = z.infer<typeof resultSchema>;

/** `fix_project`: repairs a project in one of the allowed folders, and returns the change as a diff. */
export function registerFixProject(
  server: McpServer,
  calls: Calls,
  parts: Pick<ServerParts, 'model'>,
  options: McpOptions,
): void {
  server.registerTool(
    'fix_project',
    {
      title: 'Repair a project',
      description: `Runs the tests of a project in a sandboxed copy, finds the faulty functions and constants and repairs them. Gives a diff and writes nothing: apply it yourself. Only below: ${options.allow.join(', ')}.`,
      inputSchema,
      outputSchema: outputOf(resultSchema),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: options.run.backend === 'openai',
      },
    },
    (input, context) =>
      calls.answer({ tool: 'fix_project', input, texts: [] }, context, call =>
        fixProject(input, call, parts, options),
      ),
  );
}

async function fixProject(
  input: Input,
  { signal, step }: Call,
  parts: Pick<ServerParts, 'model'>,
  { allow, time, questionTime, run }: McpOptions,
): Promise<Answer<Result>> {
  const [file = '', ...name] = input.path.split('::');
  const { folder, path } = allowedPath(file, allow);
  const { timeout, memory, isolation, requireIsolation, maxNewTokens, seed } = run;
  // The server's other tools take every agent.
  const { agent } = parseOptions({ agent: fixOptions.agent }, { agent: run.agent });
  let steps = 0;
  /** How far the search came in each function. */
  const searched = new Map<string | null, object>();
  const onEvent = (event: FixEvent): void => {
    if (event.kind === 'tried') {
      const { function: name, location, tried, best } = event;
      searched.set(location, { function: name, location, tried, best });
    }
    const message = messageOf(event);
    if (message !== null) step(message, ++steps + 1);
  };
  const report = await fix(
    {
      target: [path, ...name].join('::'),
      tests: input.tests.map(test => allowedPath(test, allow).path),
      cwd: folder,
      top: folder,
      env: process.env,
      // The report of a repair that timed out says more than the timeout of the call.
      time: Math.min(input.seconds, 0.9 * time),
      suspectsOnly: input.suspects_only,
      allowNetwork: false,
      beams: agent === 'search' ? 0 : (run.beams ?? DEFAULT_BEAMS),
      temperature: null,
      iterations: agent === 'search' ? 0 : run.iters,
      converses: agent !== 'search' && !run.noRank && (await writesCode(run)),
      usesTools: agent === 'tools',
      prices: pricesOf(run),
      ...{ questionTime, timeout, memory, isolation, requireIsolation, maxNewTokens, seed },
    },
    {
      onEvent,
      now: () => performance.now(),
      // All calls share the model; the server closes it.
      openModel: async opening =>
        run.noRank ? null : { ...(await parts.model(opening)), close: async () => {} },
    },
    signal,
  );
  const { changes, best: _, question, alternatives, ...reported } = report;
  return {
    result: {
      ...reported,
      alternatives: [...alternatives],
      question: question && { ...question, answers: [...question.answers], chosen: null },
      diff: unifiedDiff(changes).toString('utf8'),
      files: changes.map(change => change.file.path),
      flaky: [...reported.flaky],
      elsewhere: [...reported.elsewhere],
      failing: [...reported.failing],
      stillFailing: [...reported.stillFailing],
      suspects: reported.suspects.map(suspect => ({ ...suspect, lines: [...suspect.lines] })),
      repairs: reported.repairs.map(({ isPartial: _, ...repair }) => repair),
      notes: [...reported.notes],
    },
    details: { searched: [...searched.values()] },
  };
}

const DEFAULT_BEAMS = 12;

function messageOf(event: FixEvent): string | null {
  switch (event.kind) {
    case 'state':
      // Other steps say more.
      return event.state === 'confirm' ? 'Running all tests with the repair' : null;
    case 'preparing':
      return `${event.what.charAt(0).toUpperCase()}${event.what.slice(1)}`;
    case 'tests':
      return `${event.before.failed} tests fail`;
    case 'suspects':
      return `${event.suspects.length} suspects`;
    case 'tried':
      return `${event.function}: ${event.tried} candidates tried${event.left === null ? '' : `, ${event.left} left`}`;
    case 'repaired':
      return `Repaired ${titleOf(event.repair)}`;
    case 'prompt':
    case 'answer':
    case 'call':
    case 'step':
    case 'interrupted':
      return null;
  }
}
