import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HefixError } from '../../../lib/core/errors.ts';
import type { Sandbox } from '../../../lib/core/ports.ts';
import { type AttackCase, attackCases } from '../../../lib/extra/attack/attack-cases.ts';
import { createSandbox, processStarters } from '../../../lib/sandbox/create-sandbox.ts';
import { isolatedVm, needs } from '../../support/needs.ts';
import { toolchain } from '../compiled/toolchains.ts';

const all = {
  python: { what: 'Python', isThere: true },
  js: { what: isolatedVm, isThere: true },
  cpp: toolchain('cpp'),
  go: toolchain('go'),
  java: toolchain('java'),
};

/**
 * Counting assertions changes no verdict, whatever a program of the attack list does: it is judged with and without. The
 * first program of each class is taken, and every eighth in compiled languages, which have few classes.
 */
for (const language of ['python', 'js', 'cpp', 'go', 'java'] as const)
  describe(`counting in ${language}`, needs(all[language]), () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await createSandbox(processStarters({ timeoutSeconds: 2, memoryMiB: 512 }), language);
    }, 600_000);
    afterAll(() => sandbox?.close());

    /** Which failure ends an attack may depend on the order in which its processes run. */
    async function outcome({ kind, code, tests, entryPoint, declaration }: AttackCase, counts: boolean) {
      return await sandbox
        .execute({ language, candidate: code, tests, entryPoint, declaration, counts })
        .then(({ verdict, judge }) =>
          kind === 'attack' && verdict.kind !== 'passed'
            ? 'held'
            : `${verdict.kind} ${judge} ${verdict.test?.line}`,
        )
        .catch((error: HefixError) => error.code);
    }

    const programs = attackCases().filter(one => one.language === language);
    const firsts = new Map(programs.toReversed().map(one => [`${one.kind} ${one.class}`, one]));
    const every = language === 'python' || language === 'js' ? [] : programs.filter((_, i) => i % 8 === 0);
    test.concurrent.for([...new Set([...firsts.values(), ...every])])(
      'does not change the verdict: $class $id',
      async one => {
        const counted = await outcome(one, true);
        const plain = await outcome(one, false);
        // Programs that race with their limits may have another verdict each time.
        const again = counted === plain ? plain : await outcome(one, false);
        expect([plain, again]).toContain(counted);
      },
    );
  });
