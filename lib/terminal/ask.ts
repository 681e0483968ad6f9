import { createInterface } from 'node:readline/promises';

/** Asks a question on stderr; the answer without spaces around it, empty if stdin ends. Rejects if aborted. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>(resolve => lines.once('close', () => resolve('')));
    return (await Promise.race([lines.question(question, { signal }), closed])).trim();
  } finally {
    lines.close();
  }
}
