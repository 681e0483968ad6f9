import { execa } from 'execa';
import { expect, test } from 'vitest';
import { compileSamples, samples } from '../support/samples.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('every TypeScript sample compiles against the package, and runs', { timeout: 900_000 }, async () => {
  const cwd = await temporaryFolder();
  expect(samples.length).toBeGreaterThan(8);
  expect(await compileSamples(cwd)).toBe('');
  for (const { name } of samples) {
    const { exitCode, stderr } = await execa(process.execPath, [`${name}.js`], { cwd, reject: false });
    expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: '' });
  }
});
