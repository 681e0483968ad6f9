import { seededRandom } from '../../core/random.ts';

/**
 * The order in which candidates are drawn without replacement, each with its likelihood to the power of 1/temperature.
 * At temperature 0, the likeliest comes first. Ties at 0, and candidates without a likelihood (minus infinity, always
 * last), keep their order.
 * Sorting by the sum of log likelihood / temperature and Gumbel noise is such a draw (Gumbel-top-k, arXiv:1903.06059).
 *
 * @param logLikelihoods one a candidate
 * @returns their indices
 */
export function drawnOrder(
  logLikelihoods: readonly number[],
  { temperature, seed }: { readonly temperature: number; readonly seed: number },
): number[] {
  const random = seededRandom(seed);
  const keys = logLikelihoods.map(each => (temperature === 0 ? each : each / temperature + gumbel(random)));
  const keyOf = (at: number) => keys[at] ?? Number.NEGATIVE_INFINITY;
  return logLikelihoods
    .map((_, at) => at)
    .toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(b) - keyOf(a)));
}

/** A sample of the standard Gumbel distribution. `random` may return 0, whose logarithm is not finite. */
function gumbel(random: () => number): number {
  return -Math.log(-Math.log(Math.max(random(), Number.MIN_VALUE)));
}
