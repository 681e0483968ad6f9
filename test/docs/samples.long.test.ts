import { execa } from 'execa';
import { expect, test } from 'vitest';
import { compileSamples, samples } from '../support/samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('every TypeScript sample runs', { timeout: 900_000 }, async () => {
  const cwd = await temporaryFolder();
  await compileSamples(cwd);
  for (const { name } of samples) {
    const { exitCode, stderr } = await execa(process.execPath, [`${name}.js`], { cwd, reject: false });
    expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: '' });
  }
});
