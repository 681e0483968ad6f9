import { join } from 'node:path';
import { withoutRepeats } from '../../core/without-repeats.ts';
import type { Given, OptionTable } from '../../options/option.ts';
import { optionInvalid, optionNeeds, text } from '../../options/option.ts';
import { parseRunOptions, type RunOptions, runOptions } from '../../options/tables/run-options.ts';

/** The options that may have several values; every combination is run. */
const axes = ['agent', 'feedback', 'temperature', 'schedule'] as const;

const { shard: _, ...ofEachRun } = runOptions;
const list = text('values separated by commas').optional();

export const sweepOptions = {
  ...ofEachRun,
  iters: {
    ...runOptions.iters,
    schema: list,
    argument: '<list>',
    about: 'numbers of iterations to report: 0..5 or 0,3,5',
    defaultText: "0 to the agent's default",
  },
  agent: {
    ...runOptions.agent,
    schema: list,
    argument: '<list>',
    about: 'one or several: reflect,react,tools,search,one-shot',
    defaultText: 'reflect',
  },
  feedback: {
    ...runOptions.feedback,
    schema: list,
    argument: '<list>',
    about: 'one or several: tests,examples,none',
  },
  temperature: {
    ...runOptions.temperature,
    schema: list,
    argument: '<list>',
    about: 'temperatures of the draft: 0,0.4,0.8',
  },
  schedule: {
    ...runOptions.schedule,
    schema: list,
    argument: '<list>',
    about: 'one or several: ramp,anneal,constant',
  },
  out: {
    ...runOptions.out,
    argument: '<folder>',
    about: 'folder for records, sweep.json, sweep.csv and charts',
    defaultText: 'results/…',
  },
} as const satisfies OptionTable;

/** One run of a sweep. */
export interface SweepCell {
  /** Base name of its files: `reflect-temperature-0.4`. */
  readonly name: string;
  readonly settings: Readonly<{ [option: string]: string | number }>;
  readonly options: RunOptions;
  /** The numbers of iterations that it covers; its own is the highest. */
  readonly iterations: readonly number[];
}

export interface SweepOptions {
  readonly folder: string;
  readonly resume: boolean;
  readonly quiet: boolean;
  readonly inspect: boolean;
  readonly inspectContent: boolean;
  readonly cells: readonly SweepCell[];
}

/**
 * Splits a sweep into runs. One run with the most iterations covers all with fewer, unless the tests judge
 * only the last candidate.
 * @throws HefixError naming the option, the value and the expected form.
 */
export function parseSweepOptions(input: Given): SweepOptions {
  const { out: folder, iters, ...rest } = input;
  if (folder === undefined) throw optionNeeds('--resume', '--out');
  if (typeof folder !== 'string' || folder.trim() === '')
    throw optionInvalid('--out', folder, 'the path of a folder');
  if (rest.shard !== undefined) throw optionInvalid('--shard', rest.shard, 'no sweep');
  const wanted = iters === undefined ? null : listOfIterations(String(iters));
  const combined = combinations(rest);
  const hasOthers = combined.some(({ agent }) => agent !== 'tools');
  const cells = combined.flatMap(chosen => {
    // The agent tools has no enumerated edits; options about those apply to the other agents.
    const cell = hasOthers && chosen.agent === 'tools' ? { ...rest, budget: undefined, noRank: false } : rest;
    const unused = Object.fromEntries(idle(chosen.agent).map(axis => [axis, undefined]));
    return cellsOf({ ...cell, ...unused, ...chosen }, chosen, wanted, folder);
  });
  const [first] = cells;
  const { resume = false, quiet = false, inspect = false, inspectContent = false } = first?.options ?? {};
  return { folder, resume, quiet, inspect, inspectContent, cells };
}

type Chosen = Readonly<Partial<Record<(typeof axes)[number], string>>>;

/**
 * Every combination of the axes' values; axes that are not given, or that an agent does not use, are left
 * out.
 */
function combinations(input: Given): Chosen[] {
  const all = axes.reduce<Chosen[]>(
    (chosen, axis) => {
      if (input[axis] === undefined) return chosen;
      const values = String(input[axis]).split(',');
      return chosen.flatMap(others => values.map(value => ({ ...others, [axis]: value.trim() })));
    },
    [{}],
  );
  const useful = all.map(chosen =>
    Object.fromEntries(Object.entries(chosen).filter(([axis]) => !idle(chosen.agent).includes(axis))),
  );
  return withoutRepeats(useful);
}

/** The axes that do not affect an agent. */
function idle(agent = 'reflect'): readonly string[] {
  return agent === 'one-shot' || agent === 'search' ? ['schedule'] : [];
}

function cellsOf(
  input: Given,
  chosen: Chosen,
  wanted: readonly number[] | null,
  folder: string,
): SweepCell[] {
  const parsed = (iters: number | undefined, out: string) =>
    parseRunOptions({
      ...input,
      ...(iters === undefined ? {} : { iters }),
      out: join(folder, `${out}.jsonl`),
      ...(input.saveState === undefined ? {} : { saveState: join(String(input.saveState), out) }),
    });
  const { agent, feedback, iters } = parsed(undefined, 'x');
  // These agents make one attempt without iterations.
  const isSingle = agent === 'one-shot' || agent === 'search';
  const counts = isSingle ? [0] : (wanted ?? upTo(iters));
  const shared = feedback === 'tests';
  return (shared ? [counts] : counts.map(count => [count])).map(iterations => {
    const iters = Math.max(...iterations);
    const settings = { agent, ...withNumbers(chosen) };
    const parts = Object.entries(chosen).flatMap(([axis, value]) =>
      axis === 'agent' ? [] : [`${axis}-${value}`],
    );
    const name = [agent, ...parts, ...(shared || isSingle ? [] : [`iters-${iters}`])].join('-');
    return { name, settings, iterations, options: parsed(iters, name) };
  });
}

function withNumbers(chosen: Chosen): SweepCell['settings'] {
  const { temperature, ...texts } = chosen;
  return temperature === undefined ? texts : { ...texts, temperature: Number(temperature) };
}

/** `0..5` or `0,3,5`, or both; ascending, without duplicates. */
function listOfIterations(text: string): number[] {
  const numbers = text.split(',').flatMap(part => {
    const [from, to] = (/^\s*(\d{1,4})(?:\.\.(\d{1,4}))?\s*$/.exec(part) ?? []).slice(1).map(toNumber);
    if (from === undefined) return [Number.NaN];
    return to === undefined ? [from] : upTo(to).slice(from);
  });
  if (numbers.length === 0 || numbers.some(number => !(number <= 1000))) {
    throw optionInvalid('--iters', text, 'whole numbers from 0 to 1000, such as 0..5 or 0,3,5');
  }
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, index) => index);
}
