import { test } from 'vitest';
import { bundledWeights } from './exactness/bundled-weights.ts';
import { insertOutliers } from './exactness/insert-outliers.ts';
import { type Difference, type MeasuredType, measureVariant, variants } from './exactness/measure-variant.ts';
import { measuredText } from './exactness/measured-text.ts';

/**
 * How far each weight type is from fp32 when activations have outliers: the bundled model's weights, with
 * channels scaled so that the function stays the same, on 2,000 positions of the bundled tasks.
 * HEFIX_BENCH_SEEDS: number of seeds (2); HEFIX_BENCH_WIDTHS: hidden sizes, 256 or 512 (both).
 */
test('exactness with outliers', { timeout: 7_200_000 }, async () => {
  const seeds = Number(process.env.HEFIX_BENCH_SEEDS ?? 2);
  const widths = (process.env.HEFIX_BENCH_WIDTHS ?? '256,512').split(',');
  const text = measuredText(4, 500);
  const header = weightTypes.flatMap(type => [`${type} plain`, `${type} built`]);
  console.log(`KL to fp32 in nats / same next token in %\n${line(['', ...header])}`);
  for (const width of widths) {
    for (let seed = 1; seed <= seeds; seed++) {
      const base = bundledWeights(seed, width === '512' ? 512 : 256);
      for (const { name, places, factor } of variants) {
        const model = insertOutliers(base, places, factor, seed);
        const measured = await measureVariant(model, weightTypes, text);
        console.log(line([`${width}, seed ${seed}: ${name}`, ...measured.flatMap(cells)]));
      }
    }
  }
});

const weightTypes = ['w8a8', 'q8', 'q4'] as const;

function cells({ plain, built }: MeasuredType): string[] {
  return [plain, built].map(
    ({ divergence, sameToken }: Difference) => `${divergence.toFixed(4)} / ${(100 * sameToken).toFixed(1)}`,
  );
}

function line([name = '', ...figures]: readonly string[]): string {
  return [name.padEnd(30), ...figures.map(figure => figure.padStart(14))].join('  ');
}
