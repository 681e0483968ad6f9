import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Message } from '../../../lib/core/ports.ts';
import { createChatTemplate, takesTools } from '../../../lib/model/text/chat-template.ts';
import { sharedData, sharedDataMissing } from '../../support/shared-data.ts';

const messages: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Fix {{ it }} <b>\n' },
];

function render(text: string, specialTokens: Record<string, string> = {}): string {
  return createChatTemplate({ text, file: 'tokenizer_config.json', specialTokens })(messages);
}

test('supports special tokens, messages and the generation prompt', () => {
  const text =
    '{{ bos_token }}{% for m in messages %}[{{ m.role }}]{{ m.content | trim }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}';
  expect(render(text, { bos_token: '<s>', eos_token: '</s>' })).toBe(
    '<s>[system]Be brief.</s>[user]Fix {{ it }} <b></s>[assistant]',
  );
});

test('uses a fixed date', () => {
  expect(render("{{ strftime_now('%A, %d %b %Y %H:%M %q %% %B %y') }}")).toBe(
    'Wednesday, 01 Jan 2025 00:00 %q % January 25',
  );
});

test('thinking is off by default for models that support it', () => {
  const text = '{% if enable_thinking is defined and enable_thinking is false %}<think></think>{% endif %}';
  const template = createChatTemplate({ text, file: 'tokenizer_config.json', specialTokens: {} });
  expect(template(messages)).toBe('<think></think>');
  expect(template(messages, undefined, true)).toBe('');
});

test('a template that rejects the messages says why', () => {
  expect(() => render("{{ raise_exception('no system role') }}")).toThrowError(
    expect.objectContaining({
      code: 'MODEL_TEMPLATE_FAILED',
      message: expect.stringContaining('no system role'),
    }),
  );
});

test('an invalid template is refused', () => {
  expect(() => render('{% for %}')).toThrowError(expect.objectContaining({ code: 'MODEL_TEMPLATE_FAILED' }));
});

test("Qwen2.5's own template", async ({ skip }) => {
  const file = sharedData('tokenizers/qwen2.5/tokenizer_config.json');
  if (file === null) return skip(sharedDataMissing);
  const { chat_template } = JSON.parse(await readFile(file, 'utf8'));
  expect(render(chat_template)).toBe(
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nFix {{ it }} <b>\n<|im_end|>\n<|im_start|>assistant\n',
  );
});

test("Qwen2.5's own template shows tools, calls and results", async ({ skip }) => {
  const file = sharedData('tokenizers/qwen2.5/tokenizer_config.json');
  if (file === null) return skip(sharedDataMissing);
  const { chat_template: text } = JSON.parse(await readFile(file, 'utf8'));
  const source = { text, file: 'tokenizer_config.json', specialTokens: {} };
  const tool = { name: 'run_code', description: 'Runs it.', parameters: { type: 'object', properties: {} } };
  expect(takesTools(source)).toBe(true);
  const rendered = createChatTemplate(source)(
    [
      { role: 'user', content: 'Fix it.' },
      { role: 'assistant', content: '', toolCalls: [{ name: 'run_code', arguments: '{"code": "a"}' }] },
      { role: 'tool', content: 'It fails.' },
    ],
    [tool],
  );
  expect(rendered).toContain('"name": "run_code", "description": "Runs it."');
  expect(rendered).toContain(
    '<tool_call>\n{"name": "run_code", "arguments": {"code": "a"}}\n</tool_call><|im_end|>',
  );
  expect(rendered).toContain('<tool_response>\nIt fails.\n</tool_response>');
});

test('a template without tools takes none', () => {
  expect(takesTools({ text: '{{ messages[0].content }}', file: '', specialTokens: {} })).toBe(false);
});

test('a template that omits the system text on purpose keeps omitting it', () => {
  const text =
    "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content | trim }}{% endfor %}";
  const source = { text, file: 'chat_template.jinja', specialTokens: {} };
  expect(createChatTemplate(source, true)(messages)).toBe('[user]Fix {{ it }} <b>');
});

test.each([
  [
    'raises',
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}",
  ],
  ['drops it', ''],
])('a template that %s without a system role gets the text in front of the first turn', (_, start) => {
  const turns =
    "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content | trim }}{% endfor %}";
  const template = createChatTemplate({
    text: start + turns,
    file: 'chat_template.jinja',
    specialTokens: {},
  });
  expect(template(messages)).toBe('[user]Be brief.\n\nFix {{ it }} <b>');
  expect(template(messages)).toBe('[user]Be brief.\n\nFix {{ it }} <b>');
});
