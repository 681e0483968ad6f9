import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';
import { Tensor } from '../../../lib/model/onnx/runtime.ts';
import { eightBitProduct, openSession } from '../../../lib/model/onnx/session.ts';

test('weights are outside of V8’s heap', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const held = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const file = packageFile('fixtures/model/onnx/model.onnx');
  const before = held();
  const session = await openSession(file, { threads: 1, device: 'cpu' });
  expect(held() - before).toBeLessThan((await stat(file)).size / 4);
  await session.release();
});

test('products of 8-bit numbers are exact on every processor', async () => {
  expect(await eightBitError()).toBeLessThan(1e-6);
});

/**
 * The largest relative error of one product of unsigned activations [8, 576] and signed weights [576, 256], large enough
 * that sums of two products do not fit into 16 bits.
 */
async function eightBitError(): Promise<number> {
  const [rows, columns, tokens] = [576, 256, 8];
  const weights = Int8Array.from({ length: rows * columns }, (_, i) => 127 - ((i * 37) % 60));
  const codes = Uint8Array.from({ length: tokens * rows }, (_, i) => 255 - ((i * 53) % 90));
  const model = eightBitProduct(weights, rows, 128);
  const session = await openSession(model, { threads: 1, device: 'cpu' });
  try {
    const { product } = await session.run({ codes: new Tensor('uint8', codes, [tokens, rows]) });
    const found = product?.data as Float32Array;
    let worst = 0;
    for (let token = 0; token < tokens; token++) {
      for (let column = 0; column < columns; column++) {
        let exact = 0;
        for (let row = 0; row < rows; row++)
          exact += (codes[token * rows + row]! - 128) * weights[row * columns + column]!;
        worst = Math.max(worst, Math.abs((found[token * columns + column]! - exact) / exact));
      }
    }
    return worst;
  } finally {
    await session.release();
  }
}
