/** Identifies a record within its file. */
export function keyOf(taskId: string, sample: number): string {
  return JSON.stringify([taskId, sample]);
}

/** `Python/3`, and `Python/3#2` for its third sample. */
export function jobName(taskId: string, sample: number): string {
  return sample === 0 ? taskId : `${taskId}#${sample}`;
}
