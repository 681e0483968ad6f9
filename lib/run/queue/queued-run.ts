import { z } from 'zod';
import { parseJson } from '../../files/parse-json.ts';
import { manifestSchema } from '../../results/manifest.ts';
import type { QueuedRun } from './work-queue.ts';

const schema = z.object({
  id: z.string(),
  manifest: manifestSchema,
  paths: z.object({
    dataset: z.string().optional(),
    model: z.string().optional(),
    samples: z.string().optional(),
  }),
  shards: z.string(),
  upload: z.string().optional(),
  out: z.string(),
  crashes: z.number(),
  lockSeconds: z.number(),
  batch: z.number(),
});

/** The run that a queue holds; null if it was written by a version of hefix that this one does not understand. */
export function readQueuedRun(text: string): QueuedRun | null {
  return (schema.safeParse(parseJson(text)).data as QueuedRun | undefined) ?? null;
}
