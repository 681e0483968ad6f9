import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HefixError } from '../../lib/core/errors.ts';
import type { GenerateRequest } from '../../lib/core/ports.ts';
import { createOnnxModel } from '../../lib/model/onnx/onnx-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { changeJson, copyOfReference, referenceFolder, replaceBytes } from './reference-model.ts';

/** Each corrupts a copy of a valid model folder. */
const spoiled: [string, string, RegExp, (folder: string) => Promise<void>][] = [
  ['no config.json', 'MODEL_FILE_MISSING', /has no config\.json/, folder => rm(join(folder, 'config.json'))],
  [
    'no tokenizer.json',
    'MODEL_FILE_MISSING',
    /has no tokenizer\.json/,
    folder => rm(join(folder, 'tokenizer.json')),
  ],
  [
    'no ONNX file',
    'MODEL_ONNX_MISSING',
    /has no onnx\/model\.onnx/,
    folder => rm(join(folder, 'onnx'), { recursive: true }),
  ],
  [
    'no chat template',
    'MODEL_FILE_MISSING',
    /has no chat template/,
    folder => changeJson(join(folder, 'tokenizer_config.json'), { chat_template: null }),
  ],
  [
    'config.json not JSON',
    'MODEL_FILE_INVALID',
    /config\.json cannot be used: it is not JSON/,
    folder => writeFile(join(folder, 'config.json'), '{"vocab_size": 3'),
  ],
  [
    'config.json without a field',
    'MODEL_FILE_INVALID',
    /config\.json cannot be used: vocab_size/,
    folder => changeJson(join(folder, 'config.json'), { vocab_size: undefined }),
  ],
  [
    'config.json with an absurd field',
    'MODEL_FILE_INVALID',
    /max_position_embeddings/,
    folder => changeJson(join(folder, 'config.json'), { max_position_embeddings: -1 }),
  ],
  [
    'generation_config.json of a wrong type',
    'MODEL_FILE_INVALID',
    /eos_token_id/,
    folder => changeJson(join(folder, 'generation_config.json'), { eos_token_id: 'end' }),
  ],
  [
    'tokenizer.json that is none',
    'MODEL_TOKENIZER_INVALID',
    /cannot read the tokenizer/,
    folder => writeFile(join(folder, 'tokenizer.json'), '{"model": {"type": "Abacus"}, "added_tokens": []}'),
  ],
  [
    'the tokenizer of another vocabulary',
    'MODEL_VOCABULARY_MISMATCH',
    /314.*100 tokens/,
    folder => changeJson(join(folder, 'config.json'), { vocab_size: 100 }),
  ],
  [
    'a corrupt ONNX file',
    'MODEL_ONNX_INVALID',
    /model\.onnx is damaged/,
    folder => writeFile(join(folder, 'onnx', 'model.onnx'), 'no protobuf at all'),
  ],
  [
    'a truncated ONNX file',
    'MODEL_ONNX_INVALID',
    /model\.onnx is damaged/,
    folder => truncate(join(folder, 'onnx', 'model.onnx'), 5000),
  ],
  [
    'an empty ONNX file',
    'MODEL_ONNX_INVALID',
    /model\.onnx is damaged/,
    folder => truncate(join(folder, 'onnx', 'model.onnx'), 0),
  ],
  [
    'truncated external data',
    'MODEL_DATA_INCOMPLETE',
    /external data of .*model\.onnx/,
    folder => truncate(join(folder, 'onnx', 'model.onnx_data'), 100_000),
  ],
  [
    'no external data',
    'MODEL_DATA_INCOMPLETE',
    /external data of .*model\.onnx/,
    folder => rm(join(folder, 'onnx', 'model.onnx_data')),
  ],
  [
    'a graph with another input',
    'MODEL_GRAPH_UNEXPECTED',
    /asks for the input position_ixs/,
    folder => replaceBytes(join(folder, 'onnx', 'model.onnx'), 'position_ids', 'position_ixs'),
  ],
  [
    'a graph with the state of convolutions',
    'MODEL_GRAPH_UNEXPECTED',
    /keeps a state besides keys and values, past_conv\.10, from which tokens cannot be dropped/,
    folder => replaceBytes(join(folder, 'onnx', 'model.onnx'), 'position_ids', 'past_conv.10'),
  ],
  [
    'a graph without logits',
    'MODEL_GRAPH_UNEXPECTED',
    /has no output logits/,
    folder => replaceBytes(join(folder, 'onnx', 'model.onnx'), 'logits', 'scores'),
  ],
  [
    'a graph without its cache',
    'MODEL_GRAPH_UNEXPECTED',
    /has no output present\.0\.key/,
    folder => replaceBytes(join(folder, 'onnx', 'model.onnx'), 'present.', 'pr3sent.'),
  ],
];

test.each(spoiled)('%s: %s', async (_, code, sentence, spoil) => {
  const folder = await copyOfReference();
  await spoil(folder);
  const error = await failure(createOnnxModel({ folder, threads: 1 }));
  expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) });
  expectOneSentence(error);
});

test('a missing folder, and a missing weight type', async () => {
  const nowhere = join(await temporaryFolder(), 'nowhere');
  expect(await failure(createOnnxModel({ folder: nowhere }))).toMatchObject({ code: 'MODEL_FOLDER_MISSING' });
  expect(await failure(createOnnxModel({ folder: referenceFolder, weightType: 'q4' }))).toMatchObject({
    code: 'MODEL_ONNX_MISSING',
    message: expect.stringContaining('onnx/model_q4.onnx'),
  });
});

test('a prompt longer than the context', async () => {
  const error = await generationFailure(referenceFolder, 'x = 1\n'.repeat(200));
  expect(error).toMatchObject({
    code: 'MODEL_PROMPT_TOO_LONG',
    message: expect.stringMatching(/has \d{3,} tokens.* context of 256 /),
  });
  expectOneSentence(error);
});

test('a prompt without tokens', async () => {
  const folder = await copyOfReference();
  await changeJson(join(folder, 'tokenizer_config.json'), { chat_template: '{# silence #}' });
  expect(await generationFailure(folder, 'x')).toMatchObject({ code: 'MODEL_PROMPT_EMPTY' });
});

test('logits that are NaN', async () => {
  const folder = await copyOfReference();
  const data = join(folder, 'onnx', 'model.onnx_data');
  await writeFile(data, (await readFile(data)).fill(0xff));
  const error = await generationFailure(folder, 'x');
  expect(error).toMatchObject({ code: 'MODEL_LOGITS_INVALID' });
  expectOneSentence(error);
});

test('a template file takes precedence, and a template named default is found in a list', async () => {
  const folder = await copyOfReference();
  const templates = [
    { name: 'tool_use', template: "{{ raise_exception('tools') }}" },
    { name: 'default', template: "{{ raise_exception('the one named default') }}" },
  ];
  await changeJson(join(folder, 'tokenizer_config.json'), { chat_template: templates });
  expect((await generationFailure(folder, 'x')).message).toContain('the one named default');
  await writeFile(join(folder, 'chat_template.jinja'), "{{ raise_exception('its own file') }}");
  expect((await generationFailure(folder, 'x')).message).toContain('its own file');
});

async function generationFailure(folder: string, content: string): Promise<HefixError> {
  const model = await createOnnxModel({ folder, threads: 1 });
  const request: GenerateRequest = {
    messages: [{ role: 'user', content }],
    temperature: 0,
    topP: 1,
    topK: 0,
    maxNewTokens: 8,
    seed: 1,
  };
  const error = await failure(model.generate(request));
  await model.close();
  return error;
}

async function failure(work: Promise<unknown>): Promise<HefixError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof HefixError) return error;
  throw new Error('expected a HefixError', { cause: error });
}

function expectOneSentence({ message, hint }: HefixError): void {
  expect(message).toMatch(/^[^\n]*[^.\s]\.$/);
  expect(hint).toMatch(/^[^\n]*\.$/);
}
