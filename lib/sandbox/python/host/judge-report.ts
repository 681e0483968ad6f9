import type { Readable } from 'node:stream';
import { z } from 'zod';
import { sandboxFailed } from '../../../core/errors.ts';
import { verdictSchema } from '../../../core/verdict.ts';

/** A judge's final report: a verdict, invalid tests, or a candidate's process that did not start. */
const reportSchema = z.union([
  z.strictObject({ verdict: verdictSchema }),
  z.strictObject({ fault: z.string() }),
  z.strictObject({ broken: z.string() }),
]);
export type JudgeReport = z.infer<typeof reportSchema>;

const maxReportBytes = 1024 * 1024;

/** What the judge says once its time runs and the candidate may give it data. */
const started = 'started\n';

/** Resolves with the report; stays pending if none comes. `onStart` is called when the judge has begun. */
export function readReport(stream: Readable, onStart: () => void): Promise<JudgeReport> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      text += piece;
      if (text.startsWith(started)) {
        text = text.slice(started.length);
        onStart();
      }
      const end = text.indexOf('\n');
      if (end >= 0) {
        stream.pause();
        try {
          resolve(reportSchema.parse(JSON.parse(text.slice(0, end))));
        } catch (error) {
          reject(sandboxFailed('the judge sent a report that cannot be read', error));
        }
      } else if (text.length > maxReportBytes)
        reject(sandboxFailed('the judge sent a report without an end'));
    });
  });
}

/** Texts for a program of the sandbox, each after its length. */
export function frameTexts(...texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap(text => {
      const bytes = Buffer.from(text, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
