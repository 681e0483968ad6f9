/** The non-empty lines of a text that arrives in chunks; a character may span several chunks. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pending: string[] = [];
  for await (const chunk of chunks) {
    const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    pending.push(rest);
    for (const next of lines) {
      const line = pending.splice(0).join('');
      pending.push(next);
      if (line.trim() !== '') yield line;
    }
  }
  const last = pending.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}
