import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lenientJson, readToolCall, toolCallText, toolName } from '../../../lib/repair/prompt/tool-call.ts';

const code = 'def add(a, b):\n    return a + b';
const json = JSON.stringify({ name: 'run_code', arguments: { code, explanation: 'It subtracted.' } });
const read = { code, explanation: 'It subtracted.' };

describe('a call is read from', () => {
  test.each([
    ['Hermes and Qwen marks', `<tool_call>\n${json}\n</tool_call>`],
    ['marks whose last is missing', `I will run it.\n<tool_call>\n${json}`],
    ['marks with words around them', `Let me see.\n<tool_call>${json}</tool_call>\nNow wait.`],
    ['marks around a fence', `<tool_call>\n\`\`\`json\n${json}\n\`\`\`\n</tool_call>`],
    ['JSON in a fence', `Here:\n\`\`\`json\n${json}\n\`\`\``],
    ['JSON alone', json],
    ['JSON in the middle of words', `I call it. ${json} That is all.`],
    ['a list of calls', `[${json}]`],
    ['a thought before it', `<think>maybe {"name": "run_code"}</think>${json}`],
    ['a call that names its parameters otherwise', json.replace('"arguments"', '"parameters"')],
    ['an object of the server’s kind', `{"type":"function","function":${json}}`],
    [
      'arguments as a string',
      JSON.stringify({
        name: 'run_code',
        arguments: JSON.stringify({ code, explanation: 'It subtracted.' }),
      }),
    ],
    ['the arguments alone', JSON.stringify({ code, explanation: 'It subtracted.' })],
    [
      'line breaks inside the string',
      `<tool_call>{"name": "run_code", "arguments": {"code": "${code}", "explanation": "It subtracted."}}</tool_call>`,
    ],
    [
      'a string in triple quotes',
      `<tool_call>{"name": "run_code", "arguments": {"code": """${code}""", "explanation": "It subtracted.",}}</tool_call>`,
    ],
    ['brackets that were not closed', `<tool_call>${json.slice(0, -2)}`],
    ['one bracket too many', `<tool_call>${json}}</tool_call>`],
    ['the last of two', `<tool_call>{"name": "run_code"}</tool_call><tool_call>${json}</tool_call>`],
  ])('%s', (_, completion) => {
    expect(readToolCall(completion)).toEqual(read);
  });

  test.each([
    ['a fence', `Sure.\n\`\`\`python\n${code}\n\`\`\``],
    ['nothing around it', code],
  ])('bare code with %s, unchanged', (_, completion) => {
    expect(readToolCall(completion)).toEqual({ code: completion, explanation: '' });
  });

  test('code between markers', () => {
    expect(readToolCall(`<tool_call>\n\`\`\`python\n${code}\n\`\`\`\n</tool_call>`)).toEqual({
      code,
      explanation: '',
    });
  });
});

describe('a malformed call gets an explanation:', () => {
  test.each([
    ['no call', 'It should add.', 'no call of run_code'],
    ['nothing', '', 'no call of run_code'],
    ['another function', json.replace('run_code', 'python'), 'no function "python"'],
    ['no code', '{"name": "run_code", "arguments": {"explanation": "Hm."}}', 'no "code"'],
    ['code that is no string', '{"name": "run_code", "arguments": {"code": 1}}', 'no "code"'],
    ['empty code', '{"name": "run_code", "arguments": {"code": " "}}', 'no "code"'],
    [
      'broken JSON',
      '<tool_call>{"name": "run_code", "arguments": {"code": "a"b"}}</tool_call>',
      'not valid JSON',
    ],
    ['words between marks', '<tool_call>run_code please</tool_call>', 'not valid JSON'],
  ])('%s', (_, completion, fault) => {
    expect(readToolCall(completion)).toEqual({ fault: expect.stringContaining(fault) });
  });
});

test('a native call is read back from its text', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter(text => text.trim() !== ''),
      fc.string(),
      (text, explanation) => {
        const given = { code: text, explanation };
        fc.pre(!/<\/?(?:tool_call|function_call|think)|\r|\[TOOL_CALLS\]|`{3}|~{3}/.test(text + explanation));
        const call = toolCallText({ name: toolName, arguments: JSON.stringify(given) });
        expect(readToolCall(call)).toEqual(given);
      },
    ),
  );
});

test('JSON is read as JSON, and no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      fc.pre(typeof value === 'object' && value !== null);
      expect(lenientJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(fc.property(fc.string(), text => void readToolCall(`<tool_call>{"code": ${text}`)));
});
