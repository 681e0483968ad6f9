import { HefixError, reason } from '../../core/errors.ts';
import { MODEL_LAYOUT } from '../errors.ts';

export function modelOnnxMissing(folder: string, wanted: string): HefixError {
  return new HefixError('MODEL_ONNX_MISSING', `The model folder ${folder} has no ${wanted}.`, MODEL_LAYOUT);
}

export function modelOnnxInvalid(file: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_ONNX_INVALID',
    `${file} is damaged or not an ONNX model that onnxruntime can run: ${reason(cause)}.`,
    'Download it again, or use another export of the model.',
    cause,
  );
}

export function modelDataIncomplete(file: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_DATA_INCOMPLETE',
    `The external data of ${file} is missing or cut short: ${reason(cause)}.`,
    'Download the .onnx_data files again and keep them in the same folder.',
    cause,
  );
}

/** `known`: the devices that this build of onnxruntime supports. */
export function modelDeviceUnavailable(device: string, known: readonly string[], cause: unknown): HefixError {
  return new HefixError(
    'MODEL_DEVICE_UNAVAILABLE',
    `onnxruntime cannot use the device ${device}: ${reason(cause)}.`,
    `Leave out --require-device to use the CPU, or install the device's driver and libraries; onnxruntime supports ${known.join(', ')} on this system.`,
  );
}

/** `what` ends the sentence: `has an input pixel_values`. */
export function modelGraphUnexpected(file: string, what: string): HefixError {
  return new HefixError(
    'MODEL_GRAPH_UNEXPECTED',
    `hefix cannot run ${file} as a decoder with a key-value cache: it ${what}.`,
    'Use an export for text generation with past key values.',
  );
}

export function telemetryNotDisabled(): HefixError {
  return new HefixError(
    'TELEMETRY_NOT_DISABLED',
    'No model was opened, because a worker thread cannot turn off the telemetry of onnxruntime.',
    'Start the process with ORT_DISABLE_TELEMETRY=1 in its environment, or set it in the main thread before the worker starts.',
  );
}

export function modelWorkerCrashed(model: string, cause: unknown): HefixError {
  return new HefixError(
    'MODEL_WORKER_CRASHED',
    `The thread that runs ${model} ended unexpectedly: ${reason(cause)}.`,
    'There may be too little memory: use a smaller model or weight type.',
    cause,
  );
}

export function modelClosed(model: string): HefixError {
  return new HefixError('MODEL_CLOSED', `${model} was used after it was closed.`, 'Open it again.');
}
