import { optionConflict, optionInvalid, optionNeeds, optionRequired } from '../errors.ts';
import {
  type Given,
  longName,
  type OptionTable,
  type OptionValues,
  parseOptions,
  withEach,
} from '../option.ts';
import { flag, number, text, wholeNumber } from '../option-checks.ts';
import { viewOptions } from './command-options.ts';
import { serverAddress } from './model-options.ts';
import { type RunOptions, runOptions } from './run-options.ts';

/** An address may hold a password: no error shows it. */
function checkedAddress(queue: string): string {
  if (/^(rediss?|postgres(ql)?):\/\//.test(queue) && URL.canParse(queue)) return queue;
  throw optionInvalid('--queue', true, 'an address such as redis://host:6379 or postgres://host/database');
}

const queue = {
  schema: text('an address').optional(),
  argument: '<address>',
  group: 'Queue',
  about:
    'redis://host:6379, rediss:// for TLS, or postgres://host/database; HEFIX_QUEUE_PASSWORD sets a password',
  isCommon: true,
} as const satisfies OptionTable[string];

const queueName = {
  schema: text('a name without a colon')
    .refine(value => !value.includes(':'), { error: 'a name without a colon' })
    .default('hefix'),
  argument: '<name>',
  group: 'Queue',
  about: 'name of the queue on that server; one queue holds one run at a time',
} as const satisfies OptionTable[string];

const shards = {
  schema: text('a folder or s3://bucket/prefix')
    .refine(value => !value.startsWith('s3:') || /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|$)/.test(value), {
      error: 'a folder or s3://bucket/prefix',
    })
    .optional(),
  argument: '<folder>',
  group: 'Queue',
  about:
    'where workers write their records: a folder shared by all machines, or s3://bucket/prefix with the usual AWS_ variables',
  defaultText: 'next to the results',
} as const satisfies OptionTable[string];

/** The options by which `run`, `score` and `verify` use a queue. */
export const distributionOptions = {
  queue: { ...queue, about: `run on the workers of a queue: ${queue.about}` },
  queueName,
  shards,
  ...withEach(
    { group: 'Queue' },
    {
      collect: {
        schema: text('an address that starts with http:// or https://')
          .refine(value => /^https?:\/\//.test(value) && URL.canParse(value), {
            error: 'an address that starts with http:// or https://',
          })
          .optional(),
        argument: '<address>',
        group: 'Queue',
        about:
          'without a shared folder: the address of this machine, with a port, to which workers send their records; HEFIX_COLLECT_TOKEN is the token',
      },
      collectCert: {
        schema: text('the path of a file').optional(),
        argument: '<file>',
        group: 'Queue',
        about: 'certificate for --collect https://…, as PEM',
      },
      collectKey: {
        schema: text('the path of a file').optional(),
        argument: '<file>',
        about: 'key of that certificate',
      },
      maxCrashes: {
        schema: wholeNumber(1, 100).default(3),
        argument: '<n>',
        about:
          'record a unit as an error after it has crashed its worker n times, and n more times on its own',
      },
      lock: {
        schema: wholeNumber(1, 3600).default(30),
        argument: '<seconds>',
        about: 'time without a sign of life after which the units of a worker go to others',
      },
      batch: {
        schema: wholeNumber(1, 1000).optional(),
        argument: '<n>',
        about: 'units in one job of the queue',
        defaultText: '1; up to 64 if units are cheap',
      },
      jobsPerMinute: {
        schema: wholeNumber(0, 1_000_000).default(0),
        argument: '<n>',
        about: 'how many jobs all workers together start in a minute; 0: no limit',
      },
      maxCost: {
        schema: number('a cost above 0', value => value > 0 && Number.isFinite(value)).optional(),
        argument: '<cost>',
        about: 'stop when all workers together have spent so much; requires the prices',
      },
    },
  ),
} as const satisfies OptionTable;

export type DistributionOptions = OptionValues<typeof distributionOptions> & { readonly queue: string };

/**
 * Separates the options of the queue from the others, since an address may hold a password that no manifest may show.
 * @throws HefixError naming the option that is wrong, needs `--queue` or cannot be combined with it.
 */
export function takeDistribution(given: Given): {
  readonly distribution: DistributionOptions | undefined;
  readonly rest: Given;
} {
  const isOwn = (key: string) => Object.hasOwn(distributionOptions, key);
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(([key]) => isOwn(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !isOwn(key)));
  const { queue, ...options } = parseOptions(distributionOptions, own);
  if (queue === undefined) {
    const stray = Object.keys(own).find(key => own[key] !== undefined);
    if (stray !== undefined) throw optionNeeds(longName(stray), '--queue');
    return { distribution: undefined, rest };
  }
  const alone = ['saveState', 'inspect', 'workers'].find(
    key => given[key] !== undefined && given[key] !== false,
  );
  if (alone !== undefined)
    throw optionConflict(longName(alone), '--queue', 'hefix worker -c says how many run at once.');
  if (options.maxCost !== undefined && given.priceIn === undefined)
    throw optionNeeds('--max-cost', '--price-in');
  return { distribution: { queue: checkedAddress(queue), ...options }, rest };
}

/** What may differ between a worker and its run if the user says so. */
export const allowedDifferences = ['dataset', 'model', 'prompts', 'isolation', 'hefix', 'python'] as const;
export type AllowedDifference = (typeof allowedDifferences)[number];

function allowedIn(list = ''): AllowedDifference[] {
  const names = list.split(',').map(name => name.trim());
  return allowedDifferences.filter(name => names.includes(name));
}

const { model, dataset, threads, provider, baseUrl, apiKeyEnv, isolation, quiet } = runOptions;
const onThisMachine = (about: string) => ({ about: `${about} on this machine`, defaultText: "the run's" });

const notTheRuns = { defaultText: 'none' };

/** What a worker may have elsewhere than the coordinator; addresses, keys and isolation are never those of the queue. */
const ownOptions = {
  model: { ...model, schema: text('a name').optional(), ...onThisMachine('the model') },
  dataset: { ...dataset, ...onThisMachine('the dataset') },
  threads: { ...threads, ...onThisMachine('number of inference threads') },
  provider: { ...provider, ...notTheRuns, about: `if the model is a server: ${provider.about}` },
  baseUrl: { ...baseUrl, ...notTheRuns, about: 'if the model is a server: its address' },
  apiKeyEnv,
  isolation,
} as const satisfies OptionTable;

export const workerOptions = {
  queue,
  queueName,
  concurrency: {
    schema: wholeNumber(1, 1000).default(1),
    argument: '<n>',
    short: 'c',
    group: 'Queue',
    about: 'units at once on this machine',
    isCommon: true,
  },
  shards: {
    ...shards,
    about: 'the shared folder or bucket on this machine; a bucket is never taken from the queue',
    defaultText: "the run's folder",
  },
  collect: {
    ...distributionOptions.collect,
    about:
      'the address to which records are sent, if the run collects them; HEFIX_COLLECT_TOKEN is the token',
  },
  ...withEach(
    { group: 'Queue' },
    {
      samples: {
        schema: text('the path of a file').optional(),
        argument: '<file>',
        ...onThisMachine('the file of samples to score'),
      },
      allow: {
        schema: text(`names of ${allowedDifferences.join(', ')}, separated by commas`)
          .refine(list =>
            list.split(',').every(name => allowedDifferences.some(known => known === name.trim())),
          )
          .optional(),
        argument: '<names>',
        about: 'differences from the run to accept: isolation,python',
      },
      grace: {
        schema: wholeNumber(0, 86_400).default(25),
        argument: '<seconds>',
        about: 'after SIGTERM, units that have not ended in this time are given back',
      },
      once: {
        schema: flag(),
        about: 'exit when the run has ended instead of waiting for the next one',
        isCommon: true,
      },
    },
  ),
  ...ownOptions,
  quiet,
} as const satisfies OptionTable;

export type WorkerOptions = Omit<OptionValues<typeof workerOptions>, keyof typeof ownOptions | 'allow'> & {
  readonly queue: string;
  readonly allow: readonly AllowedDifference[];
  /** Those that were given. */
  readonly own: Partial<Pick<RunOptions, keyof typeof ownOptions>>;
};

/** @throws HefixError naming the missing or invalid option. */
export function parseWorkerOptions(given: Given): WorkerOptions {
  const { queue, allow, model, dataset, threads, provider, baseUrl, apiKeyEnv, isolation, ...options } =
    parseOptions(workerOptions, given);
  if (queue === undefined) throw optionRequired('--queue', 'worker');
  if (provider !== undefined && baseUrl !== undefined) throw optionConflict('--provider', '--base-url');
  const address = baseUrl === undefined ? undefined : serverAddress(baseUrl);
  const own = Object.entries({ model, dataset, threads, provider, baseUrl: address, apiKeyEnv, isolation });
  return {
    ...options,
    allow: allowedIn(allow),
    own: Object.fromEntries(own.filter(([, value]) => value !== undefined)),
    queue: checkedAddress(queue),
  };
}

export const queueCommandOptions = {
  queue,
  queueName,
  port: { ...viewOptions.port, about: `board: ${viewOptions.port.about}` },
  noOpen: { ...viewOptions.noOpen, about: `board: ${viewOptions.noOpen.about}` },
} as const satisfies OptionTable;

export type QueueCommandOptions = OptionValues<typeof queueCommandOptions> & { readonly queue: string };

/** @throws HefixError naming the missing or invalid option. */
export function parseQueueOptions(given: Given, action: string): QueueCommandOptions {
  const { queue, ...options } = parseOptions(queueCommandOptions, given);
  if (queue === undefined) throw optionRequired('--queue', 'queue');
  const boardOnly = (['port', 'noOpen'] as const).find(
    key => given[key] !== undefined && given[key] !== false,
  );
  if (boardOnly !== undefined && action !== 'board')
    throw optionNeeds(longName(boardOnly), 'hefix queue board');
  return { queue: checkedAddress(queue), ...options };
}
