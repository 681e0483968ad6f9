import { HefixError } from '../../core/errors.ts';

export function completionShellUnknown(shell: string, known: readonly string[]): HefixError {
  return new HefixError(
    'SHELL_UNKNOWN',
    `There is no completion for the shell ${JSON.stringify(shell)}.`,
    `Choose one of ${known.join(', ')}.`,
  );
}
