import { isMainThread } from 'node:worker_threads';
import { telemetryNotDisabled } from '../errors.ts';

/** The names that onnxruntime has given to the variable that turns off its telemetry. */
const VARIABLES = ['ORT_DISABLE_TELEMETRY', 'ORT_TELEMETRY_DISABLED'];

/**
 * onnxruntime collects and sends usage data by default on Linux and macOS. Turns that off for this process, unless the
 * user set a variable to 0. Has to be called before onnxruntime is loaded, and in the main thread: native code does not
 * see the `process.env` of other threads. Throws TELEMETRY_NOT_DISABLED in a thread of a process where it is still on.
 */
export function disableTelemetry(): void {
  const values = VARIABLES.map(name => process.env[name]);
  const isChosen = values.includes('0') || values.includes('1');
  if (!isMainThread && !isChosen) throw telemetryNotDisabled();
  if (!isMainThread || (values.includes('0') && !values.includes('1'))) return;
  for (const name of VARIABLES) process.env[name] = '1';
}
