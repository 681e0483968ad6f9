/**
 * Messages between the processes of a sandbox: four bytes of length, little-endian, then that many bytes. Text is
 * UTF-8.
 */

export function frame(body: Buffer | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(body));
  return Buffer.concat([length, Buffer.from(body)]);
}
