import { z } from 'zod';
import { optionInvalid, optionUnknown } from '../errors.ts';
import { languages } from '../task.ts';
import { closest } from './closest.ts';

/**
 * The options of a run, from the command line (all text) or from code (typed).
 * The message of each check is the form that was expected, for «--iters is "abc", expected …».
 */
export const runOptionsSchema = z.strictObject({
  model: text('a bundled name or a local folder').default('hefix-mini'),
  backend: choice(['onnx', 'scripted']).default('onnx'),
  dataset: text('a bundled name, or a .parquet, .jsonl or .jsonl.gz file').default('mini'),
  lang: choice(languages).default('python'),
  limit: wholeNumber(1, 1_000_000).optional(),
  tasks: text('task ids or globs, separated by commas').optional(),
  iters: wholeNumber(0, 1000).default(3),
  agent: choice(['reflect']).default('reflect'),
  feedback: choice(['tests']).default('tests'),
  temperature: number('a number from 0 to 2', value => value >= 0 && value <= 2).default(0),
  schedule: choice(['ramp', 'constant']).default('ramp'),
  temperatureStep: number('a number from 0 to 2', value => value >= 0 && value <= 2).default(0.2),
  topP: number('a number above 0, at most 1', value => value > 0 && value <= 1).default(0.95),
  topK: wholeNumber(0, 1_000_000).default(0),
  maxNewTokens: wholeNumber(1, 1_000_000).default(512),
  seed: wholeNumber(0, 2 ** 32 - 1).default(0),
  timeout: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(10),
  memory: wholeNumber(64, 1_048_576).default(1024),
  out: text('the path of a .jsonl file').optional(),
  resume: flag(),
  verbose: flag(),
  quiet: flag(),
});
export type RunOptions = z.infer<typeof runOptionsSchema>;

/**
 * Checks options and fills in the defaults.
 * @throws HefixError naming the option, the value and the expected form.
 */
export function parseRunOptions(given: Readonly<Record<string, unknown>>): RunOptions {
  const parsed = runOptionsSchema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    if (issue?.code === 'unrecognized_keys') {
      const [key = ''] = issue.keys;
      throw optionUnknown(longFlag(key), closest(key, Object.keys(runOptionsSchema.shape)));
    }
    const key = String(issue?.path[0]);
    throw optionInvalid(longFlag(key), given[key], issue?.message ?? 'another value');
  }
  const options = parsed.data;
  if (options.quiet && options.verbose) throw optionInvalid('--quiet', true, 'to stand without --verbose');
  if (options.resume && options.out === undefined) {
    throw optionInvalid('--resume', true, 'to come with --out and the file to go on with');
  }
  return options;
}

/** The options that decide a record's content; a run may be resumed only with the same. */
export const decisiveOptions = [
  'lang',
  'iters',
  'agent',
  'feedback',
  'temperature',
  'schedule',
  'temperatureStep',
  'topP',
  'topK',
  'maxNewTokens',
  'seed',
  'timeout',
  'memory',
] as const satisfies readonly (keyof RunOptions)[];

function longFlag(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

function text(expected: string) {
  return z.string({ error: expected }).refine(value => value.trim() !== '', { error: expected });
}

function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  const [only, ...others] = values;
  const expected = others.length === 0 ? `"${only}"` : `one of ${values.join(', ')}`;
  return z.enum(values, { error: expected });
}

function wholeNumber(least: number, most: number) {
  const expected = `a whole number from ${least} to ${most}`;
  return number(expected, value => Number.isSafeInteger(value) && value >= least && value <= most);
}

function number(expected: string, holds: (value: number) => boolean) {
  const checked = z.custom<number>(value => typeof value === 'number' && holds(value), { error: expected });
  return z.preprocess(value => (typeof value === 'string' ? decimal(value) : value), checked);
}

/** The number that a text spells in decimal, or the text itself; "", " 3", "0x10" and "1e3" are no decimals. */
function decimal(value: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : value;
}

function flag() {
  return z.boolean({ error: 'no value' }).default(false);
}
