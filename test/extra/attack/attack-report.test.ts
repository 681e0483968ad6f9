import { expect, test } from 'vitest';
import type { AttackCase } from '../../../lib/extra/attack/attack-cases.ts';
import { attackReport, type Judgement } from '../../../lib/extra/attack/attack-report.ts';
import type { ControlOutcome } from '../../../lib/extra/attack/control.ts';

function attacked(result: Judgement['result'], effect: ControlOutcome['effect'], id = 'x') {
  const one: AttackCase = {
    ...{ id, class: 'c', language: 'python', kind: 'attack', code: '', tests: '', entryPoint: 'f' },
    ...{ declaration: '', truth: null, needs: null, isOnHost: false },
  };
  return { one, judgement: { result, message: '' }, control: { effect, how: 'exit code 1' } };
}

test('attacks that were held, refused and without effect are counted apart', () => {
  const { total, withoutEffect } = attackReport([
    attacked('failed', 'forged'),
    attacked('failed', 'harmed'),
    attacked('failed', 'none', 'lame'),
    attacked('failed', 'unknown'),
    attacked('refused', 'forged'),
    attacked('passed', 'forged'),
    attacked('none', 'forged'),
  ]);
  expect(total).toMatchObject({
    ...{ attacks: 7, forged: 1, held: 2, declined: 1, without_effect: 1, not_compared: 1, none: 1 },
  });
  expect(withoutEffect).toEqual([{ id: 'lame', how: 'exit code 1' }]);
});
