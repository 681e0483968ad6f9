/** How the sampling temperature moves from one iteration to the next; shared by the machines. */

export const schedules = ['ramp', 'anneal', 'constant'] as const;
export type Schedule = (typeof schedules)[number];

export interface TemperatureOptions {
  readonly schedule: Schedule;
  /** Of the draft. 0 is greedy. */
  readonly base: number;
  readonly step: number;
  /** Where `ramp` ends; a base above it stays as it is. */
  readonly cap: number;
}

/**
 * `ramp`: the base for the draft, then warmer by a step each time, so that a model that is stuck
 * looks further. `anneal`: warm first, a step cooler after the first failure and another step after
 * the third, never below 0. `constant`: the base.
 */
export function temperatureAt(iteration: number, { schedule, base, step, cap }: TemperatureOptions): number {
  if (schedule === 'ramp') return rounded(Math.max(base, Math.min(base + iteration * step, cap)));
  if (schedule === 'anneal') return rounded(Math.max(0, base - stepsDown(iteration) * step));
  return base;
}

function stepsDown(failures: number): number {
  if (failures === 0) return 0;
  return failures < 3 ? 1 : 2;
}

/** 0.1 + 0.2 shall read as 0.3 in a record. */
function rounded(temperature: number): number {
  return Math.round(temperature * 1e6) / 1e6;
}
