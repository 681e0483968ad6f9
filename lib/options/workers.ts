import { type Environment, readEnvironment } from './environment.ts';
import { optionInvalid } from './errors.ts';
import { runOptions } from './tables/run-options.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * Options with the variable WORKERS, from the environment or from `.env` in the current folder, if
 * `--workers` is not given.
 * @throws HefixError naming WORKERS if it is not a valid number.
 */
export function withWorkers(given: Given, environment: Environment): Given {
  const { WORKERS: workers } = readEnvironment(process.cwd(), environment);
  if (given.workers !== undefined || workers === undefined || workers === '') return given;
  const parsed = runOptions.workers.schema.safeParse(workers);
  if (!parsed.success) {
    throw optionInvalid('WORKERS', workers, parsed.error.issues[0]?.message ?? 'another value');
  }
  return { ...given, workers };
}
