import type { PreparedTests } from '../../host/job.ts';

/**
 * Replacements that tests make in their realm and candidates see in theirs: `Math.random`, `Date.now`, the
 * environment, output. Sent before a call if they have changed since the last one.
 */
export interface Patches {
  begin(tests: Pick<PreparedTests, 'watchesOutput' | 'usesEnvironment'>): void;
  send(): void;
}

export function createPatches(send: (path: string, value: unknown) => void): Patches {
  const originals = { 'Math.random': Math.random, 'Date.now': Date.now };
  const sent = { ...originals };
  const current = () => ({ 'Math.random': Math.random, 'Date.now': Date.now });
  let isSending = false;
  return {
    begin({ watchesOutput, usesEnvironment }) {
      if (watchesOutput) send('output', true);
      if (!usesEnvironment) return;
      // From here on a shared object like any other: each side sees what the other sets.
      process.env = {};
      send('process.env', process.env);
    },
    send() {
      if (isSending) return;
      isSending = true;
      for (const [path, value] of Object.entries(current())) {
        const name = path as keyof typeof originals;
        if (sent[name] === value) continue;
        sent[name] = value;
        send(path, value === originals[name] ? undefined : value);
      }
      isSending = false;
    },
  };
}
