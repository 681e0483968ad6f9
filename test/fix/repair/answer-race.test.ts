import { expect, test } from 'vitest';
import { createAnswerRace } from '../../../lib/fix/repair/answer-race.ts';
import type { Candidate, Trial } from '../../../machines/actors.ts';
import { unchecked } from '../../../machines/pool.ts';

const edit: Candidate = { code: 'e', origin: { kind: 'edit', rank: 1, of: 2 } };
const answer: Candidate = { code: 'a', origin: { kind: 'sample', rank: 1, of: 1 } };
const passed: Trial = unchecked;
const failed: Trial = { outcome: 'failed', assertionsPassed: 0, firstFailing: 0, overran: false };

/** @param early trials of two edits until the model answered */
function isDecisive(early: readonly Trial[], candidates: readonly Candidate[], trials: readonly Trial[]) {
  const race = createAnswerRace();
  race.answeredAfter([edit, edit], early);
  return race.isDecisive(candidates, trials);
}

test('the clock decides if an answer wins while edits are left', () => {
  expect(isDecisive([failed], [answer, edit, edit], [passed])).toBe(true);
});

test('it does not decide if all edits were tried, another won, or an edit passed before', () => {
  expect(isDecisive([failed, failed], [answer, edit, edit], [passed])).toBe(false);
  expect(isDecisive([failed], [answer, edit, edit], [failed, failed, passed])).toBe(false);
  expect(isDecisive([failed], [answer, edit, edit], [failed, failed, failed])).toBe(false);
  expect(isDecisive([passed], [answer, edit, edit], [passed])).toBe(false);
  expect(createAnswerRace().isDecisive([answer], [passed])).toBe(false);
});
