import {
  type Given,
  longName,
  number,
  type OptionTable,
  type OptionValues,
  optionConflict,
  optionInvalid,
  optionNeeds,
  parseOptions,
  text,
  wholeNumber,
  withEach,
} from '../option.ts';

/** An address may hold a password: no error shows it. */
export function checkedAddress(queue: string): string {
  if (/^(rediss?|postgres(ql)?):\/\//.test(queue) && URL.canParse(queue)) return queue;
  throw optionInvalid('--queue', true, 'an address such as redis://host:6379 or postgres://host/database');
}

export const queue = {
  schema: text('an address').optional(),
  argument: '<address>',
  group: 'Queue',
  about:
    'redis://host:6379, rediss:// for TLS, or postgres://host/database; HEFIX_QUEUE_PASSWORD sets a password',
  isCommon: true,
} as const satisfies OptionTable[string];

export const queueName = {
  schema: text('a name without a colon')
    .refine(value => !value.includes(':'), { error: 'a name without a colon' })
    .default('hefix'),
  argument: '<name>',
  group: 'Queue',
  about: 'name of the queue on that server; one queue holds one run at a time',
} as const satisfies OptionTable[string];

export const shards = {
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
export function takeDistribution(input: Given): {
  readonly distribution: DistributionOptions | undefined;
  readonly rest: Given;
} {
  const isOwn = (key: string) => Object.hasOwn(distributionOptions, key);
  const entries = Object.entries(input);
  const distributionInput = Object.fromEntries(entries.filter(([key]) => isOwn(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !isOwn(key)));
  const { queue, ...options } = parseOptions(distributionOptions, distributionInput);
  if (queue === undefined) {
    const stray = Object.keys(distributionInput).find(key => distributionInput[key] !== undefined);
    if (stray !== undefined) throw optionNeeds(longName(stray), '--queue');
    return { distribution: undefined, rest };
  }
  const alone = ['saveState', 'inspect', 'workers'].find(
    key => input[key] !== undefined && input[key] !== false,
  );
  if (alone !== undefined)
    throw optionConflict(longName(alone), '--queue', 'hefix worker -c says how many run at once.');
  if (options.maxCost !== undefined && input.priceIn === undefined)
    throw optionNeeds('--max-cost', '--price-in');
  return { distribution: { queue: checkedAddress(queue), ...options }, rest };
}
