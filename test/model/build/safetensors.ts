/** A safetensors file of float32 tensors, as bytes. */
export function safetensors(
  tensors: Readonly<Record<string, { shape: readonly number[]; data: Float32Array }>>,
): Buffer {
  let end = 0;
  const header = Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, data }]) => {
      const start = end;
      end += data.byteLength;
      return [name, { dtype: 'F32', shape, data_offsets: [start, end] }];
    }),
  );
  const data = Object.values(tensors).map(({ data }) =>
    Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  );
  return safetensorsOf(header, Buffer.concat(data));
}

/** Any header followed by any data. */
export function safetensorsOf(header: unknown, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, data]);
}
