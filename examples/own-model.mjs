// A model of your own: anything that turns messages into text. This one knows a single answer.
import { repair } from 'hefix';

const answer = `\`\`\`python
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
\`\`\``;

/** @type {import('hefix').TextModel} */
const model = {
  name: 'one-answer',
  fingerprint: 'one-answer-1',
  async generate({ messages }, { signal } = {}) {
    signal?.throwIfAborted();
    const knows = messages.some(({ content }) => content.includes('is_leap'));
    return { text: knows ? answer : '', promptTokens: 0, completionTokens: 0, finish: 'stop' };
  },
  async close() {},
};

const { outcome, diff, attempts } = await repair({
  code: 'def is_leap(year):\n    return year % 4 == 0\n',
  tests: 'assert is_leap(2024)\nassert not is_leap(1900)\nassert is_leap(2000)\n',
  model,
});
console.log(diff);
console.log(`${outcome} with ${attempts.length} attempt`);
