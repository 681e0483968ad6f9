import type { Schedule } from '../../machines/temperature.ts';
import type { AgentName, Feedback } from '../core/choices.ts';

/** Options whose defaults differ between agents. */
export interface AgentDefaults {
  readonly iters: number;
  readonly temperature: number;
  readonly schedule: Schedule;
  readonly temperatureStep: number;
  readonly feedback: Feedback;
}

const greedyFirst = { temperature: 0, schedule: 'ramp', temperatureStep: 0.2, feedback: 'tests' } as const;

export const agentDefaults: Readonly<Record<AgentName, AgentDefaults>> = {
  reflect: { iters: 3, ...greedyFirst },
  react: { iters: 3, ...greedyFirst },
  // 0.7, then 0.5, and 0.3 after three failures: a conversation starts wide and narrows down.
  tools: { iters: 10, temperature: 0.7, schedule: 'anneal', temperatureStep: 0.2, feedback: 'tests' },
  // It proposes once, after trying its candidates on the docstring's examples.
  search: { iters: 0, ...greedyFirst, feedback: 'examples' },
  'one-shot': { iters: 0, ...greedyFirst },
};

/** `3; 10 with tools`: the default as shown by `--help`. */
export function defaultText(key: keyof AgentDefaults): string {
  const { reflect, ...others } = agentDefaults;
  const different = Object.entries(others).filter(([, defaults]) => defaults[key] !== reflect[key]);
  return [
    String(reflect[key]),
    ...different.map(([agent, defaults]) => `${defaults[key]} with ${agent}`),
  ].join('; ');
}
