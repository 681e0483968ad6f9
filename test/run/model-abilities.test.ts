import { expect, test } from 'vitest';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { checkAbilities } from '../../lib/run/model/model-abilities.ts';

const silent = { name: 'a-server' };
const telling = {
  name: 'a-folder',
  answer: 'edit',
  beams: () => Promise.reject(new Error('not asked')),
  score: () => Promise.reject(new Error('not asked')),
} as const;

test('beams need a model with likelihoods', () => {
  const wanted = parseRunOptions({ beams: 3 });
  expect(checkAbilities(wanted, telling)).toEqual([]);
  expect(() => checkAbilities(wanted, silent)).toThrow(
    expect.objectContaining({ code: 'MODEL_WITHOUT_BEAMS', message: expect.stringContaining('a-server') }),
  );
  expect(checkAbilities(parseRunOptions({}), silent)).toEqual([]);
  expect(checkAbilities(parseRunOptions({ beams: 0 }), silent)).toEqual([
    expect.stringContaining('--beams has no effect'),
  ]);
});

test('a search with a model without likelihoods warns, unless none are requested', () => {
  expect(checkAbilities(parseRunOptions({ agent: 'search' }), silent)).toEqual([
    'a-server does not report likelihoods; candidates are tried in a fixed order.',
  ]);
  expect(checkAbilities(parseRunOptions({ agent: 'search' }), telling)).toEqual([]);
  expect(checkAbilities(parseRunOptions({ agent: 'search', noRank: true }), silent)).toEqual([
    expect.stringContaining('--no-rank has no effect'),
  ]);
});

test('a search on the hidden tests warns', () => {
  expect(checkAbilities(parseRunOptions({ agent: 'search', feedback: 'tests' }), telling)).toEqual([
    'The search tries its candidates on the hidden tests.',
  ]);
});

test('a model trained on one answer form warns if another is requested', () => {
  const edits = { name: 'mini', answer: 'edit', languages: ['python'], beams: telling.beams } as const;
  const said = (given: Parameters<typeof parseRunOptions>[0], language: 'python' | 'js' = 'python') =>
    checkAbilities(parseRunOptions(given), edits, language);
  expect(said({})).toEqual([]);
  const one = (part: string) => [expect.stringMatching(new RegExp(`mini.*${part}|${part}.*mini`))];
  expect(said({ agent: 'tools' })).toEqual(one('tools'));
  expect(said({ agent: 'react' })).toEqual(one('diagnosis'));
  expect(said({ prompt: 'humanevalfixdocs' })).toEqual(one('humanevalfixdocs'));
  expect(said({}, 'js')).toEqual(one('js'));
  expect(said({ candidates: 3 })).toEqual(one('--candidates'));
});

test('the script for chat APIs shows no tests, and warns if they are expected', () => {
  const server = { backend: 'openai', model: 'm', prompt: 'humanevalfixtests' };
  expect(checkAbilities(parseRunOptions(server), silent)).toEqual([
    expect.stringContaining('shows no tests'),
  ]);
  expect(checkAbilities(parseRunOptions({ ...server, template: 'chat' }), silent)).toEqual([]);
  expect(checkAbilities(parseRunOptions({ ...server, prompt: 'humanevalfixdocs' }), silent)).toEqual([]);
});
