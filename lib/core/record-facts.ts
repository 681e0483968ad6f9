import { z } from 'zod';
import { recordSchema, robustSchema } from './record.ts';
import { verdictKinds } from './verdict.ts';

const { shape } = recordSchema;
const attempt = shape.attempts.element.shape;
const kindSchema = z.object({ kind: z.enum(verdictKinds) }).nullable();
const tokensSchema = z.object({ prompt: z.number(), completion: z.number() });

/** The part of a record that reports and tables need; the whole is checked when it is shown. */
export const factsSchema = z.object({
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
  search: shape.search,
  robust: robustSchema.pick({ tried: true, different: true }).optional(),
  fixed: z.string().nullable(),
  attempts: z.array(
    z.object({
      node: attempt.node,
      iteration: attempt.iteration,
      prompt: z.array(z.unknown()),
      candidate: z.string().nullable(),
      verdict: kindSchema,
      tokens: tokensSchema,
      seconds: attempt.seconds,
      diagnosis: z.object({ tokens: tokensSchema, seconds: z.number() }).optional(),
      selection: z.object({ checks: z.array(z.unknown()) }).optional(),
    }),
  ),
});
type Parsed = z.infer<typeof factsSchema>;

/** A list; only its length is kept. */
interface Counted {
  readonly length: number;
}

export interface AttemptFacts extends Omit<Parsed['attempts'][number], 'prompt' | 'selection'> {
  /** Empty if no model was asked. */
  readonly prompt: Counted;
  readonly selection?: { readonly checks: Counted } | undefined;
}

/** Everything but the long texts, which are nearly all bytes of a record. A RunRecord is one. */
export interface RecordFacts extends Readonly<Omit<Parsed, 'format' | 'attempts'>> {
  readonly attempts: readonly AttemptFacts[];
}
