/** Name of the recorder in the rewritten tests, which no test is expected to use. */
export const RECORDER = '$hefix';
