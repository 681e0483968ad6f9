import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { packageFile } from '../../../lib/files/package.ts';

const program = `
  import(${JSON.stringify(pathToFileURL(packageFile('dist/lib/model/onnx/telemetry.js')).href)}).then(telemetry => {
    try { telemetry.disableTelemetry(); } catch (error) { console.log(error.code); }
    const { ORT_DISABLE_TELEMETRY: one, ORT_TELEMETRY_DISABLED: other } = process.env;
    console.log(one + ' ' + other);
  })`;
const inThread = `new (require('node:worker_threads').Worker)(${JSON.stringify(program)}, { eval: true })`;

/** The variables of a process that started with `env`, after it turned telemetry off. */
async function variablesAfter(env: Readonly<Record<string, string>>, script = program): Promise<string> {
  const args = ['--input-type=commonjs', '--eval', script];
  const { stdout } = await execa(process.execPath, args, { env, extendEnv: false });
  return stdout;
}

test.each([
  [{}, '1 1'],
  [{ ORT_DISABLE_TELEMETRY: '' }, '1 1'],
  [{ ORT_TELEMETRY_DISABLED: '1' }, '1 1'],
  [{ ORT_DISABLE_TELEMETRY: '0' }, '0 undefined'],
  [{ ORT_DISABLE_TELEMETRY: '0', ORT_TELEMETRY_DISABLED: '1' }, '1 1'],
])('is off unless the user set a variable to 0: %o', async (env, expected) => {
  expect(await variablesAfter(env)).toBe(expected);
});

test('a thread of a process where it is on opens no model', async () => {
  expect(await variablesAfter({}, inThread)).toBe('TELEMETRY_NOT_DISABLED\nundefined undefined');
  expect(await variablesAfter({ ORT_DISABLE_TELEMETRY: '1' }, inThread)).toBe('1 undefined');
});
