/** The execution providers of onnxruntime-node that hefix supports. Availability depends on the platform. */
export const devices = ['cpu', 'cuda', 'webgpu', 'coreml', 'dml'] as const;
export type Device = (typeof devices)[number];
