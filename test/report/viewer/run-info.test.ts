import { expect, test } from 'vitest';
import { runDetails, runInfo } from '../../../lib/report/viewer/run-info.ts';
import { manifestWith } from '../manifest.ts';

const run = { path: '/r/a.jsonl', name: 'a.jsonl' };
const scored = { ...manifestWith({ agent: 'one-shot' }), scored: { file: 'samples.jsonl' } };

test('settings are named as on the command line', () => {
  const { settings } = runInfo(run, manifestWith({ maxNewTokens: 256 }));
  expect(settings).toMatchObject({ 'max-new-tokens': '256', 'no-rank': 'false', agent: 'reflect' });
  expect(Object.keys(settings).filter(name => /[A-Z]/.test(name))).toEqual([]);
});

test('scored samples have no settings of an agent, a prompt or sampling', () => {
  const { agent, settings } = runInfo(run, scored);
  expect(agent).toBe('none (scored)');
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(['timeout', 'memory']));
  expect(Object.keys(settings).filter(name => /agent|prompt|temperature|iters|seed/.test(name))).toEqual([]);
  expect(runDetails(scored).options.map(({ name }) => name)).not.toContain('--temperature');
  expect(Object.keys(runInfo(run, manifestWith({})).settings)).toContain('temperature');
});
