import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOnnxModel } from '../../lib/model/onnx/onnx-model.ts';
import { changeJson, copyOfReference } from './reference-model.ts';

/** Ways to write a template that does not end. */
const templates: Readonly<Record<string, string>> = {
  'loops in loops': '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}',
  'a loop over a growing list':
    "{% set ns = namespace(t=['x']) %}{% for a in range(100000) %}{% for c in ns.t %}{% set ns.t = ns.t + ['x'] %}{% endfor %}{% endfor %}",
  'a macro that calls itself twice':
    '{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}',
  'a loop around a filter':
    "{% for a in range(100000) %}{% set t = messages | map(attribute='content') | join | upper | lower %}{% endfor %}",
  'a test in every round':
    '{% for a in range(100000) %}{% for b in range(100000) if b > 200000 %}{% endfor %}{% endfor %}',
};

/** Patterns that take time exponential in a row of x. */
const patterns = ['(x+x+)+y', '(x|x)*y', '(x*)*y', '(xx?)+y', '((x+)+)+y'];

const hostile: [string, (folder: string) => Promise<void>][] = [
  ...Object.entries(templates).map(([name, template]): (typeof hostile)[number] => [
    `a chat template with ${name}`,
    folder => writeFile(join(folder, 'chat_template.jinja'), template),
  ]),
  ...patterns.map((Regex): (typeof hostile)[number] => [
    `the pattern ${Regex} in a tokenizer`,
    folder =>
      changeJson(join(folder, 'tokenizer.json'), {
        pre_tokenizer: { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false },
      }),
  ]),
];

test.each(hostile)('%s is stopped, and named', async (_, spoil) => {
  const folder = await copyOfReference();
  await spoil(folder);
  const model = await createOnnxModel({ folder, name: 'hostile', threads: 1, textLimitMs: 300 });
  const answer = model.generate({
    messages: [{ role: 'user', content: `${'x'.repeat(5_000)}!` }],
    ...{ temperature: 0, topP: 1, topK: 0, maxNewTokens: 1, seed: 0 },
  });
  await expect(answer).rejects.toMatchObject({
    code: 'MODEL_TEXT_TIMEOUT',
    message: expect.stringContaining('The chat template or the tokenizer of hostile'),
  });
  await model.close();
});
