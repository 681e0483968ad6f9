import type { Readable } from 'node:stream';
import { readFrames } from './frames.ts';

/** What a judge says. */
export interface Reporting<Report> {
  /** Resolves when the candidate's code runs; stays pending if it never does. */
  readonly started: Promise<void>;
  readonly report: Promise<Report | NoReport>;
}

/** Why there is no report: the judge never started, or ended while it worked on what the candidate gave. */
export type NoReport = 'not started' | 'judge lost';

/** Reads a judge's reports, up to the one that decides. A message that `parse` gives null for ends the judge's say. */
export function readReport<Report>(
  channel: Readable,
  parse: (body: Buffer) => Report | 'started' | null,
): Reporting<Report> {
  let hasStarted = false;
  let begin = () => {};
  const started = new Promise<void>(resolve => {
    begin = resolve;
  });
  const report = new Promise<Report | NoReport>(resolve => {
    const ended = () => resolve(hasStarted ? 'judge lost' : 'not started');
    const read = (body: Buffer) => {
      const said = parse(body);
      if (said === null) return ended();
      if (said !== 'started') return resolve(said);
      hasStarted = true;
      begin();
    };
    readFrames(channel, read, ended);
    if (channel.destroyed) ended();
    for (const end of ['end', 'close', 'error']) channel.once(end, ended);
  });
  return { started, report };
}
