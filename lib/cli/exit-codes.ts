/** Exit code of an interrupted command; no data was lost. */
export const INTERRUPTED = 130;
