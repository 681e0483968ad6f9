import { env, InferenceSession, listSupportedBackends } from 'onnxruntime-node';
import { modelDataIncomplete, modelDeviceUnavailable, modelOnnxInvalid } from '../../core/errors.ts';
import type { Device } from './devices.ts';

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
  // Devices that are not there are reported by onnxruntime on stderr too, whatever the session is told.
  env.logLevel = 'fatal';
  try {
    return await InferenceSession.create(file, {
      executionProviders: device === 'cpu' ? ['cpu'] : [device, 'cpu'],
      intraOpNumThreads: threads,
      // Planned memory grows with each new length of the inputs.
      enableMemPattern: false,
      logSeverityLevel: FATAL,
    });
  } catch (cause) {
    const words = plainReason(cause);
    if (device !== 'cpu') throw modelDeviceUnavailable(device, known, words);
    throw /external (data|initializer)/i.test(words)
      ? modelDataIncomplete(file, words)
      : modelOnnxInvalid(file, words);
  }
}

/** What onnxruntime said, without the places in its own sources that it puts first. */
function plainReason(cause: unknown): string {
  const words = cause instanceof Error ? cause.message : String(cause);
  return words
    .replace(/^.*\.cc:\d+ (?:[\w:]+\(.*\)|\S+) /s, '')
    .trim()
    .replace(/\.$/, '');
}

/** onnxruntime prints to stderr below this level; what goes wrong is thrown as well. */
const FATAL = 4;
