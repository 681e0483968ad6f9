import { type OptionTable, withEach } from '../option.ts';
import { choice, flag, number, wholeNumber } from '../option-checks.ts';

/** The limits and the isolation of executions. */
export const sandboxOptions = {
  ...withEach(
    { group: 'Sandbox' },
    {
      timeout: {
        schema: number('seconds, above 0, at most 3600', value => value > 0 && value <= 3600).default(10),
        argument: '<seconds>',
        about: 'time limit of one execution',
        isCommon: true,
        decidesResults: true,
      },
      memory: {
        schema: wholeNumber(64, 1_048_576).default(1024),
        argument: '<MiB>',
        about: 'memory limit of one execution',
        decidesResults: true,
      },
      sandbox: {
        schema: choice(['process', 'docker']).default('process'),
        argument: '<kind>',
        about: 'process, or docker: one warm container, for Python',
        isCommon: true,
      },
      isolation: {
        schema: choice(['bubblewrap', 'namespaces', 'seatbelt', 'ulimit']).optional(),
        argument: '<level>',
        about: 'bubblewrap, namespaces, seatbelt (macOS) or ulimit',
        defaultText: 'the strongest that works',
      },
      requireIsolation: { schema: flag(), about: 'refuse the weakest level, ulimit' },
    },
  ),
} as const satisfies OptionTable;
