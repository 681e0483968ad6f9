/** By what an answer is known to be over before the model says so. */
export type EndRule = 'fence' | 'body';

export interface AnswerSoFar {
  /** What the text goes on from. */
  readonly before: string;
  readonly text: string;
  /** What was asked: a fenced block that stands there word for word is quoted, and is no answer. */
  readonly asked: string;
}

/**
 * Where an answer ends, as an index into `text`; -1 while it goes on.
 * `fence`: after the line that closes the first fenced block that is no quotation. `body`: before the first
 * line that is not indented, once there was one that is; a closing bracket at a line's start belongs to what
 * it closes. What a model thinks aloud, between `<think>` and `</think>`, is before its answer.
 */
export function answerEnd(rule: EndRule, { before, text, asked }: AnswerSoFar): number {
  const whole = before + text;
  const start = startOf(whole);
  if (start === -1) return -1;
  const answer = whole.slice(start);
  const end = rule === 'fence' ? endOfFence(answer, asked) : endOfBody(answer);
  return end === -1 || start + end < before.length ? -1 : start + end - before.length;
}

/** -1 while the model still thinks. */
function startOf(text: string): number {
  if (!/^\s*<think>/.test(text)) return 0;
  const end = text.indexOf(THOUGHT);
  return end === -1 ? -1 : end + THOUGHT.length;
}

const THOUGHT = '</think>';

function endOfFence(text: string, asked: string): number {
  let at = 0;
  for (;;) {
    const opening = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/m.exec(text.slice(at));
    const fence = opening?.[1];
    if (opening === null || fence === undefined) return -1;
    const start = at + opening.index + opening[0].length;
    const closing = new RegExp(`^ {0,3}${fence}${fence.slice(0, 1)}*[ \\t]*$`, 'm').exec(text.slice(start));
    if (closing === null) return -1;
    const block = text.slice(start, start + closing.index).trim();
    at = start + closing.index + closing[0].length;
    if (block === '' || !asked.includes(block)) return at;
  }
}

function endOfBody(text: string): number {
  let start = 0;
  let inBody = false;
  for (const line of text.split('\n')) {
    if (/^[ \t]+\S/.test(line)) inBody = true;
    else if (inBody && /^[^\s)\]}]/.test(line)) return start;
    start += line.length + 1;
  }
  return -1;
}
