/** The execution providers of onnxruntime-node that hefix can be told to compute with; which are there depends on the platform. */
export const devices = ['cpu', 'cuda', 'webgpu', 'coreml', 'dml'] as const;
export type Device = (typeof devices)[number];
