import { type AllowedDifference, allowedDifferences } from '../../core/choices.ts';
import {
  flag,
  type Given,
  longName,
  type OptionTable,
  type OptionValues,
  optionConflict,
  optionNeeds,
  optionRequired,
  parseOptions,
  text,
  wholeNumber,
  withEach,
} from '../option.ts';
import { viewOptions } from './command-options.ts';
import { checkedAddress, distributionOptions, queue, queueName, shards } from './distribution-options.ts';
import { serverAddress } from './model-options.ts';
import { type RunOptions, runOptions } from './run-options.ts';

function allowedIn(list = ''): AllowedDifference[] {
  const names = list.split(',').map(name => name.trim());
  return allowedDifferences.filter(name => names.includes(name));
}

const { model, dataset, threads, provider, baseUrl, apiKeyEnv, isolation, quiet } = runOptions;
const onThisMachine = (about: string) => ({ about: `${about} on this machine`, defaultText: "the run's" });

const notTheRuns = { defaultText: 'none' };

/** What a worker may have elsewhere than the coordinator; addresses, keys and isolation are never those of the queue. */
const runOverrides = {
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
            list.split(',').every(name => allowedDifferences.some(allowed => allowed === name.trim())),
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
  ...runOverrides,
  quiet,
} as const satisfies OptionTable;

export type WorkerOptions = Omit<OptionValues<typeof workerOptions>, keyof typeof runOverrides | 'allow'> & {
  readonly queue: string;
  readonly allow: readonly AllowedDifference[];
  /** Those that were given. */
  readonly overrides: Partial<Pick<RunOptions, keyof typeof runOverrides>>;
};

/** @throws HefixError naming the missing or invalid option. */
export function parseWorkerOptions(input: Given): WorkerOptions {
  const { queue, allow, model, dataset, threads, provider, baseUrl, apiKeyEnv, isolation, ...options } =
    parseOptions(workerOptions, input);
  if (queue === undefined) throw optionRequired('--queue', 'worker');
  if (provider !== undefined && baseUrl !== undefined) throw optionConflict('--provider', '--base-url');
  const address = baseUrl === undefined ? undefined : serverAddress(baseUrl);
  const overrides = Object.entries({
    model,
    dataset,
    threads,
    provider,
    baseUrl: address,
    apiKeyEnv,
    isolation,
  });
  return {
    ...options,
    allow: allowedIn(allow),
    overrides: Object.fromEntries(overrides.filter(([, value]) => value !== undefined)),
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
export function parseQueueOptions(input: Given, action: string): QueueCommandOptions {
  const { queue, ...options } = parseOptions(queueCommandOptions, input);
  if (queue === undefined) throw optionRequired('--queue', 'queue');
  const boardOnly = (['port', 'noOpen'] as const).find(
    key => input[key] !== undefined && input[key] !== false,
  );
  if (boardOnly !== undefined && action !== 'board')
    throw optionNeeds(longName(boardOnly), 'hefix queue board');
  return { queue: checkedAddress(queue), ...options };
}
