import { z } from 'zod';
import { searchSchema } from '../core/attempt.ts';
import { recordFormat, recordSchema } from '../core/record.ts';
import type { RecordFacts } from '../core/record-facts.ts';
import { robustSchema } from '../core/robust.ts';
import { verdictKinds } from '../core/verdict.ts';
import { recordInvalid, recordsNewer } from './errors.ts';
import { currentRecord } from './older-formats.ts';

/**
 * The facts of one line's JSON; undefined stands for a line that is not JSON.
 * @throws HefixError (`RECORD_INVALID`, `RECORDS_NEWER`)
 */
export function parseFacts(path: string, line: number, value: unknown): RecordFacts {
  const format = Object(value).format;
  if (typeof format === 'number' && format > recordFormat) throw recordsNewer(path, format, recordFormat);
  const parsed = factsSchema.safeParse(format === recordFormat ? value : currentRecord(value));
  if (parsed.success) return parsed.data;
  throw recordInvalid(path, line, recordFault(value, parsed.error));
}

/** What is wrong with a record, for `RECORD_INVALID`. */
export function recordFault(value: unknown, { issues: [issue] }: z.ZodError): string {
  if (value === undefined) return 'it is not JSON';
  return issue === undefined ? 'its shape is another' : `${issue.path.join('.') || 'it'}: ${issue.message}`;
}

const { shape } = recordSchema;
const kindSchema = z.object({ kind: z.enum(verdictKinds) }).nullable();
const tokensSchema = z.object({ prompt: z.number(), completion: z.number() });
const { attempts } = shape;
const attemptShape = attempts.element.shape;

/** A record is checked as a whole when it is shown; reports need only this part of it. */
const factsSchema = z.object({
  format: shape.format,
  task_id: shape.task_id,
  index: shape.index,
  sample: shape.sample,
  entry_point: shape.entry_point,
  bug_type: shape.bug_type,
  passed: shape.passed,
  judge: shape.judge,
  verdict: kindSchema,
  example_verdict: kindSchema.default(null),
  error: z.object({ code: z.string() }).nullable(),
  feedback: shape.feedback,
  prompt: shape.prompt,
  template: shape.template,
  iters: shape.iters,
  runtime_sec: shape.runtime_sec,
  timings_sec: shape.timings_sec,
  token_usage: tokensSchema,
  cached: tokensSchema.extend({ replies: z.number() }).optional(),
  search: searchSchema.optional(),
  robust: robustSchema.pick({ tried: true, different: true }).optional(),
  fixed: z.string().nullable(),
  attempts: z.array(
    z.object({
      node: attemptShape.node,
      iteration: attemptShape.iteration,
      prompt: z.array(z.unknown()),
      candidate: z.string().nullable(),
      verdict: kindSchema,
      tokens: tokensSchema,
      seconds: attemptShape.seconds,
      diagnosis: z.object({ tokens: tokensSchema, seconds: z.number() }).optional(),
      selection: z.object({ checks: z.array(z.unknown()) }).optional(),
    }),
  ),
});
