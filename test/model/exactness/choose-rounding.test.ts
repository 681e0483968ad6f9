import { expect, test } from 'vitest';
import { seededRandom } from '../../../lib/core/random.ts';
import { roundingFormats } from '../../../lib/model/build/build-model.ts';
import { chooseRounding } from '../../../lib/model/exactness/choose-rounding.ts';

const [CHANNELS, ROWS, POSITIONS] = [64, 32, 128] as const;
const OUTLIERS = [5, 20, 41, 60];

interface Chosen {
  readonly factor?: number;
  readonly modelBytes?: number;
  readonly type?: 'w8a8' | 'q4';
}

/** Activations and weights of size one; both are `factor` times as large in some channels, so that scaling does not help. */
async function chosen({ factor = 1, modelBytes = 1e5, type = 'w8a8' }: Chosen): Promise<readonly number[]> {
  const random = seededRandom(3);
  const numbers = (rows: number): Float32Array =>
    Float32Array.from(
      { length: rows * CHANNELS },
      (_, index) => (2 * random() - 1) * (OUTLIERS.includes(index % CHANNELS) ? factor : 1),
    );
  const [values, weights] = [numbers(POSITIONS), numbers(ROWS)];
  async function* readers(): AsyncGenerator<Float32Array> {
    yield weights;
  }
  const place = { channels: CHANNELS, channelOf: (column: number) => column };
  const format = roundingFormats[type] ?? expect.fail(`${type} rounds`);
  const costs = { error: 0.4, modelBytes };
  const { exact } = await chooseRounding(values, CHANNELS, readers, place, format, costs);
  return [...exact].sort((one, other) => one - other);
}

test('channels that no factor helps are kept in float', async () => {
  expect(await chosen({ factor: 30 })).toEqual(OUTLIERS);
});

test('nothing is kept in float without outliers, or if the bytes are too many for the model', async () => {
  expect(await chosen({})).toEqual([]);
  expect(await chosen({ factor: 30, modelBytes: 1e3 })).toEqual([]);
});

test('channels in float are worth fewer bytes if weights have 4 bits: more bits would be cheaper', async () => {
  expect(await chosen({ factor: 3, modelBytes: 3e4, type: 'q4' })).toEqual(OUTLIERS);
  expect(await chosen({ factor: 3, modelBytes: 6e3, type: 'q4' })).toEqual([]);
});
