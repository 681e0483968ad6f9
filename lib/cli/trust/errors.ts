import { HefixError } from '../../core/errors.ts';

export function trustNeedsTerminal(): HefixError {
  return new HefixError(
    'TRUST_NEEDS_TERMINAL',
    'hefix trust asks for confirmation, and standard input is no terminal.',
    'Run it yourself in a terminal; scripts can give options on the command line.',
  );
}
