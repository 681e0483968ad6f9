import { HefixError } from '../../core/errors.ts';

export function robustInterrupted(path: string, compared: number, solved: number): HefixError {
  return new HefixError(
    'INTERRUPTED',
    `Interrupted; ${compared} of ${solved} solutions in ${path} have been compared.`,
    'To continue, run the same command again.',
  );
}
