import { createParser } from 'eventsource-parser';

/** The data of each server-sent event as it arrives; a character may span several chunks. */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
  // Some servers omit the empty line after the last event.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* events.splice(0);
}
