import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HefixError } from '../../lib/core/errors.ts';
import type { Sandbox } from '../../lib/core/ports.ts';
import { type AttackCase, attackCases } from '../../lib/sandbox/attack/attack-cases.ts';
import { createSandbox, processStarters } from '../../lib/sandbox/create-sandbox.ts';

/** Counting assertions changes no verdict, whatever a program of the attack list does: it is judged with and without. */
describe.each(['python', 'js'] as const)('counting in %s', language => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    const limits = { timeoutSeconds: 5, memoryMiB: 512 };
    sandbox = await createSandbox(processStarters(limits), language);
  });
  afterAll(() => sandbox.close());

  async function outcome({ code, tests, entryPoint, declaration }: AttackCase, counts: boolean) {
    return await sandbox
      .execute({ language, candidate: code, tests, entryPoint, declaration, counts })
      .then(({ verdict, judge }) => `${verdict.kind} ${judge} ${verdict.test?.line}`)
      .catch((error: HefixError) => error.code);
  }

  test.for(attackCases().filter(one => one.language === language))(
    'does not change the verdict: $class $id',
    async one => {
      const counted = await outcome(one, true);
      const without = await outcome(one, false);
      // Programs that race with their limits may have another verdict each time.
      const again = counted === without ? without : await outcome(one, false);
      expect([without, again]).toContain(counted);
    },
  );
});
