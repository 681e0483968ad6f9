import type { Job } from '../../host/job.ts';
import { RECORDER } from '../../host/recorder-name.ts';
import type { Loaded } from '../../realm/messages.ts';
import type { Peer } from '../../realm/peer.ts';

/** The candidate's program, as the tests see it. */
export interface CandidateModule {
  /** The value of a global name. */
  read(name: string): unknown;
  /** What the program exports. */
  exported(): unknown;
}

export interface CandidateModuleOptions {
  /** Names of classes that the tests construct. */
  readonly classes: readonly string[];
  /** Allows the tests to use a class, or what a module exports, of the candidate. */
  readonly trustClass: (value: object) => void;
  readonly trustModule: (value: object) => void;
}

export function createCandidateModule(
  peer: Peer,
  { classes, trustClass, trustModule }: CandidateModuleOptions,
): CandidateModule {
  return {
    read(name) {
      const value = peer.ask({ op: 'name', name });
      if (classes.includes(name) && typeof value === 'function') trustClass(value);
      return value;
    },
    exported() {
      const value = peer.ask({ op: 'exports' });
      if (typeof value !== 'object' || value === null) return value;
      trustModule(value);
      for (const name of classes) {
        const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
        if (typeof found === 'function') trustClass(found);
      }
      return value;
    },
  };
}

/** A module may be a function, or have one as its default export. */
export function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return exported;
  return Reflect.get(exported, 'default');
}

/**
 * Names that may be the candidate's, without those of the language or the task, which it must not redefine
 * for the tests.
 */
export function namesToAsk({ tests, entryPoint, helpers }: Omit<Job, 'candidate'>): string[] {
  const isOurs = (name: string): boolean =>
    name in globalThis || harnessNames.has(name) || helpers.names.includes(name);
  const wanted = [...tests.names.filter(name => !isOurs(name)), ...tests.members];
  return [...new Set([entryPoint, ...wanted])];
}

/** Names that Node gives to a module, and test runners to their tests. */
const harnessNames = new Set(
  `require module exports __filename __dirname arguments undefined ${RECORDER} describe it test suite expect before after
   beforeEach afterEach beforeAll afterAll jest vi sinon chai should assert`.split(/\s+/),
);

/** The names that the candidate's program has; throws what the candidate threw while loading. */
export function loadedNames(
  peer: Peer,
  text: string,
  asked: readonly string[],
  refuse: (reason: string) => never,
): string[] {
  const message = peer.read(text);
  if (message.op === 'answer' || message.op === 'refused') {
    peer.value(message);
    return [];
  }
  const { names } = message as Partial<Loaded>;
  if (message.op !== 'loaded' || !Array.isArray(names)) return refuse('a message that cannot be read');
  return asked.filter(name => names.includes(name));
}
