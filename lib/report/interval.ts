/** A share of a whole with the bounds of its 95% confidence interval, all in [0, 1]. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval, which holds for few trials and for shares near 0 and 1.
 * E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
 * Null without trials.
 */
export function wilson(successes: number, trials: number): Share | null {
  if (trials === 0) return null;
  const value = successes / trials;
  const spread = Z ** 2 / trials;
  const centre = (value + spread / 2) / (1 + spread);
  const half = (Z / (1 + spread)) * Math.sqrt((value * (1 - value)) / trials + spread / (4 * trials));
  return {
    value,
    low: successes === 0 ? 0 : centre - half,
    high: successes === trials ? 1 : centre + half,
  };
}

/** Standard normal quantile of 0.975. */
const Z = 1.959963984540054;
