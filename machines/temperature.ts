/** How the sampling temperature changes between iterations; shared by the machines. */

export const schedules = ['ramp', 'anneal', 'constant'] as const;
export type Schedule = (typeof schedules)[number];

export interface TemperatureOptions {
  readonly schedule: Schedule;
  /** Temperature of the draft. 0 is greedy. */
  readonly base: number;
  readonly step: number;
  /** Upper limit of `ramp`; a base above it is kept. */
  readonly cap: number;
}

/**
 * `ramp`: starts at the base and rises by a step with each iteration, so that a model that is stuck explores
 * more. `anneal`: starts warm and falls by a step after the first failure and another after the third, never
 * below 0. `constant`: always the base.
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

/** Records show 0.1 + 0.2 as 0.3. */
function rounded(temperature: number): number {
  return Math.round(temperature * 1e6) / 1e6;
}
