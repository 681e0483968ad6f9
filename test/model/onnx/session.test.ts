import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package-root.ts';
import { openSession } from '../../../lib/model/onnx/session.ts';

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
