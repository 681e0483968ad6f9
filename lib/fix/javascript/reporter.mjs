/** The reporter of node:test: hands each event to the recorder. */
import { noteEvent } from './recorder.mjs';

export default async function* report(events) {
  for await (const event of events) noteEvent(event);
  yield '';
}
