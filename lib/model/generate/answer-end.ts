/** How to tell that an answer is complete before the model says so. */
export type EndRule = 'fence' | 'body';

export interface AnswerSoFar {
  /** The text that the answer continues. */
  readonly before: string;
  readonly text: string;
  /** The prompt: a fenced block that appears there verbatim is a quotation, not an answer. */
  readonly asked: string;
}

/**
 * The index into `text` where an answer ends; -1 while it is incomplete. `fence`: after the line that closes
 * the first fenced block that is not a quotation. `body`: before the first unindented line that follows an
 * indented one; a closing bracket at the start of a line belongs to what it closes. Thoughts between
 * `<think>` and `</think>` are not part of the answer.
 */
export function answerEnd(rule: EndRule, { before, text, asked }: AnswerSoFar): number {
  const whole = before + text;
  const start = startOf(whole);
  if (start === -1) return -1;
  const answer = whole.slice(start);
  const end = rule === 'fence' ? endOfFence(answer, asked) : endOfBody(answer);
  return end === -1 || start + end < before.length ? -1 : start + end - before.length;
}

/** -1 while the model is thinking. */
function startOf(text: string): number {
  if (!/^\s*<think>/.test(text)) return 0;
  const end = text.indexOf(THOUGHT);
  return end === -1 ? -1 : end + THOUGHT.length;
}

const THOUGHT = '</think>';

function endOfFence(text: string, asked: string): number {
  let position = 0;
  for (;;) {
    const opening = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n/m.exec(text.slice(position));
    const fence = opening?.[1];
    if (opening === null || fence === undefined) return -1;
    const start = position + opening.index + opening[0].length;
    const closing = new RegExp(`^ {0,3}${fence}${fence.slice(0, 1)}*[ \\t]*$`, 'm').exec(text.slice(start));
    if (closing === null) return -1;
    const block = text.slice(start, start + closing.index).trim();
    position = start + closing.index + closing[0].length;
    if (block === '' || !asked.includes(block)) return position;
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
