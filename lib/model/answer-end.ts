/** By what an answer is known to be over before the model says so. */
export type EndRule = 'fence' | 'body';

/**
 * Where an answer ends, as an index into `text`; -1 while it goes on.
 * `fence`: after the line that closes the first fenced block. `body`: before the first line that is not
 * indented, once there was one that is; a closing bracket at a line's start belongs to what it closes.
 * before: what `text` goes on from.
 */
export function answerEnd(rule: EndRule, before: string, text: string): number {
  const whole = before + text;
  const end = rule === 'fence' ? endOfFence(whole) : endOfBody(whole);
  return end < before.length ? -1 : end - before.length;
}

function endOfFence(text: string): number {
  const opening = /^ {0,3}(`{3,}|~{3,})[^\n]*\n/m.exec(text);
  const fence = opening?.[1];
  if (opening === null || fence === undefined) return -1;
  const start = opening.index + opening[0].length;
  const closing = new RegExp(`^ {0,3}${fence}${fence.slice(0, 1)}*[ \\t]*$`, 'm').exec(text.slice(start));
  return closing === null ? -1 : start + closing.index + closing[0].length;
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
