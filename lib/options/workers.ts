import { optionInvalid } from '../core/errors.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { runOptions } from './run-options.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * Options with the variable WORKERS, of the environment or of `.env` in the current folder, where `--workers` is
 * not given.
 * @throws HefixError naming WORKERS if it is no such number.
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
