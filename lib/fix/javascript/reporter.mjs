/** A reporter for node:test that passes each event to the recorder. */
import { noteEvent } from './recorder.mjs';

export default async function* report(events) {
  for await (const event of events) noteEvent(event);
  yield '';
}
