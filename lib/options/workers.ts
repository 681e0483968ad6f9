import { optionInvalid } from '../core/errors.ts';
import { runOptionsSchema } from './run-options.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * Options with the variable WORKERS in the place of `--workers` where that is not given.
 * @throws HefixError naming WORKERS if it is no such number.
 */
export function withWorkers(given: Given, environment: Given): Given {
  const { WORKERS: workers } = environment;
  if (given.workers !== undefined || workers === undefined || workers === '') return given;
  const parsed = runOptionsSchema.shape.workers.safeParse(workers);
  if (!parsed.success) {
    throw optionInvalid('WORKERS', workers, parsed.error.issues[0]?.message ?? 'another value');
  }
  return { ...given, workers };
}
