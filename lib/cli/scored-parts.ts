import { scoreParts } from '../library/score-samples.ts';
import type { Manifest } from '../results/manifest.ts';
import type { RunParts } from '../run/run.ts';
import type { RunEvents } from '../run/run-events.ts';
import { verifyParts } from './verify/verify-parts.ts';

/** The parts of a run that asks no model, as its manifest describes it. `file`: where the samples are on this machine. */
export async function scoredParts(
  { file: recorded, repeat }: NonNullable<Manifest['scored']>,
  { name }: Manifest['model'],
  file: string | undefined,
  events: Pick<RunEvents, 'warned'>,
): Promise<RunParts> {
  if (repeat !== undefined) return verifyParts(repeat);
  return (await scoreParts(file ?? recorded, name, events)).parts;
}
