import type { Device } from './devices.ts';
import { modelDataIncomplete, modelDeviceUnavailable, modelOnnxInvalid } from './errors.ts';
import { env, InferenceSession, listSupportedBackends } from './runtime.ts';

export interface SessionOptions {
  readonly threads: number;
  readonly device: Device;
}

/** Throws MODEL_ONNX_INVALID, MODEL_DATA_INCOMPLETE and MODEL_DEVICE_UNAVAILABLE. */
export async function openSession(
  file: string,
  { threads, device }: SessionOptions,
): Promise<InferenceSession> {
  const known = listSupportedBackends().map(({ name }) => name);
  if (!known.includes(device)) {
    throw modelDeviceUnavailable(device, known, `onnxruntime-node has no ${device} on this system`);
  }
  // onnxruntime reports missing devices on stderr at every log level of the session.
  env.logLevel = 'fatal';
  try {
    return await InferenceSession.create(file, {
      executionProviders: device === 'cpu' ? ['cpu'] : [device, 'cpu'],
      intraOpNumThreads: threads,
      // The memory planner's allocations grow with each new input length.
      enableMemPattern: false,
      logSeverityLevel: FATAL,
      extra: { session: { intra_op: { spin_duration_us: SPIN_MICROSECONDS } } },
    });
  } catch (cause) {
    const words = plainReason(cause);
    if (device !== 'cpu') throw modelDeviceUnavailable(device, known, words);
    throw /external (data|initializer)/i.test(words)
      ? modelDataIncomplete(file, words)
      : modelOnnxInvalid(file, words);
  }
}

/** The message of onnxruntime without the source locations that it starts with. */
function plainReason(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return words
    .replace(/^.*\.cc:\d+ (?:[\w:]+\(.*\)|\S+) /s, '')
    .trim()
    .replace(/\.$/, '');
}

/**
 * How long a thread waits for its next piece of work before it sleeps: longer than what one thread computes alone
 * between two matrices. onnxruntime's default took a sixth more processor time on two cores, from which nothing
 * became faster.
 */
const SPIN_MICROSECONDS = '50';

/** onnxruntime logs to stderr below this level; errors are thrown as well. */
const FATAL = 4;
