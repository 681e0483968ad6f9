/** How far a download of several files is. */
export interface TransferProgress {
  /** The file that is being fetched. */
  readonly file: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** Over the last seconds, of what came through the network; null before the first second. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

/**
 * Turns counts of bytes into progress, ten times a second at most. `now`: milliseconds from any start.
 * Bytes that were there before do not count for the speed.
 */
export function transferProgress(
  totalBytes: number,
  report: (progress: TransferProgress) => void,
  now: () => number,
): (file: string, doneBytes: number) => void {
  /** Of the last seconds: when, and how much was there. */
  const samples: { time: number; bytes: number }[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let fileBefore = '';
  return (file, doneBytes) => {
    const time = now();
    if (file === fileBefore && time - last < 100 && doneBytes < totalBytes) return;
    // A file that is continued, or was there, jumps forward when it begins.
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
