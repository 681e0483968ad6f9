/** What the rewritten tests call the recorder; no sane test has a variable of this name. */
export const RECORDER = '$hefix';
