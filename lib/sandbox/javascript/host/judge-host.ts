import { readFrame, writeFrame } from '../../process/frames.ts';
import { judge } from '../judge/judge.ts';
import { MAX_FRAME_BYTES } from '../realm/wire.ts';
import type { Job, Report } from './job.ts';

/**
 * The process that decides. It runs the tests, never the candidate's code. Descriptor 0 is connected to the
 * candidate's process; 3 brings the job and takes the report.
 */
const LINE = 0;
const SANDBOX = 3;

const text = readFrame(SANDBOX, MAX_FRAME_BYTES);
if (text === null) process.exit(0);
const exit = process.exit.bind(process);

judge(JSON.parse(text) as Job, {
  started: () => void writeFrame(SANDBOX, JSON.stringify({ kind: 'started' } satisfies Report)),
  report(report: Report) {
    writeFrame(SANDBOX, JSON.stringify(report));
    return exit(0);
  },
  send: message => void writeFrame(LINE, message),
  receive: () => readFrame(LINE, MAX_FRAME_BYTES),
});
