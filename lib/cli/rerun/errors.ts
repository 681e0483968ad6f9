import { HefixError } from '../../core/errors.ts';

/** Nothing that a run could repeat: the samples came from elsewhere. */
export function rerunOfScored(path: string, samples: string): HefixError {
  return new HefixError(
    'RERUN_SCORED',
    `${path} describes samples that were scored, not a run that could be repeated.`,
    `Score them again: hefix score ${samples}.`,
  );
}
