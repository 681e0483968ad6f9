/** Progress of a download of several files. */
export interface TransferProgress {
  /** The current file. */
  readonly file: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** Network speed over the last seconds; null during the first second of a file. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

/**
 * Converts byte counts to progress, at most ten times a second for one file. `now`: milliseconds from any origin. Bytes
 * that were present before do not count towards the speed.
 */
export function transferProgress(
  totalBytes: number,
  report: (progress: TransferProgress) => void,
  now: () => number,
): (file: string, doneBytes: number) => void {
  /** Samples of the last seconds: time and byte count. */
  const samples: { time: number; bytes: number }[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let fileBefore = '';
  return (file, doneBytes) => {
    const time = now();
    if (file === fileBefore && time - last < 100 && doneBytes < totalBytes) return;
    // The count of a file that is continued or already present jumps when it starts.
    if (file !== fileBefore) samples.length = 0;
    fileBefore = file;
    last = time;
    samples.push({ time, bytes: doneBytes });
    while (samples.length > 2 && time - (samples[0]?.time ?? time) > WINDOW_MS) samples.shift();
    const [first] = samples;
    const elapsed = first === undefined ? 0 : time - first.time;
    const speed = first === undefined || elapsed < 1000 ? null : ((doneBytes - first.bytes) * 1000) / elapsed;
    const secondsLeft = speed === null || speed <= 0 ? null : (totalBytes - doneBytes) / speed;
    report({ file, doneBytes, totalBytes, bytesPerSecond: speed, secondsLeft });
  };
}

const WINDOW_MS = 5_000;
