import { inspect } from 'node:util';

/**
 * What the tests read from an object of the candidate by asking it: getters, conversions, iterations. Until the tests
 * call the candidate again, the same question must have the same answer, and asking must change nothing, as with plain
 * data.
 */
export interface Stable {
  /** A getter or a conversion of an object. */
  read(work: Work, object: object, key: string | symbol): Work;
  /** A function of an object that returns an iterator; what that yields must be the same each time. */
  iterate(work: Work, object: object): Work;
  /** Checks a property that becomes plain data. */
  becomes(object: object, key: string | symbol, value: unknown): void;
  /** Whether a getter or a conversion is running. */
  isReading(): boolean;
  /** Runs work of the judge's own that looks at values without asking the candidate. */
  describe<T>(work: () => T): T;
  isDescribing(): boolean;
  /** Notes that the tests have called the candidate, so that answers may differ from now on. */
  called(): void;
}

type Work = (this: unknown, ...args: unknown[]) => unknown;

interface Answer {
  readonly value: unknown;
  /** What it looked like when it was given; empty for primitives. */
  readonly text: string;
}

interface Asked {
  readonly epoch: number;
  readonly self: unknown;
  /** The object and the arguments as they were. */
  readonly state: string;
  readonly answer: Answer;
}

/** `differs` is called where two answers differ. */
export function createStable(differs: (object: object, what: string) => void): Stable {
  const memories = new WeakMap<object, Map<string | symbol, Asked[]>>();
  let epoch = 0;
  let reading = 0;
  let isDescribing = false;

  /** Runs the candidate's code; its own calls do not count as calls of the tests. */
  const ask = (work: Work, self: unknown, args: unknown[]): unknown => {
    const now = epoch;
    try {
      return Reflect.apply(work, self, args);
    } finally {
      epoch = now;
    }
  };
  const describe = <T>(work: () => T): T => {
    isDescribing = true;
    try {
      return work();
    } finally {
      isDescribing = false;
    }
  };
  const textOf = (value: unknown): string => describe(() => inspect(value, everything));
  const answerOf = (value: unknown): Answer => {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    return { value, text: isObject ? textOf(value) : '' };
  };
  const memoryOf = (object: object, key: string | symbol): Asked[] => {
    const ofObject = memories.get(object) ?? new Map<string | symbol, Asked[]>();
    memories.set(object, ofObject);
    const current = (ofObject.get(key) ?? []).filter(one => one.epoch === epoch);
    ofObject.set(key, current);
    return current;
  };

  return {
    read: (work, object, key) =>
      function (...args) {
        reading++;
        try {
          const state = textOf([this, args]);
          const answer = answerOf(ask(work, this, args));
          const holder = typeof this === 'object' && this !== null ? this : object;
          const left = Object.getOwnPropertyDescriptor(holder, key)?.value as unknown;
          if (left !== undefined && typeof left !== 'function' && !isSame(answer, answerOf(left)))
            differs(object, String(key));
          const memory = memoryOf(holder, key);
          const last = memory.find(one => one.self === this && one.state === state);
          if (!last) memory.push({ epoch, self: this, state, answer });
          else if (!isSame(last.answer, answer)) differs(object, String(key));
          return answer.value;
        } finally {
          reading--;
        }
      },

    iterate(work, object) {
      let last: { epoch: number; self: unknown; steps: Answer[] } | undefined;
      return function (...args) {
        const iterator = ask(work, this, args);
        if (typeof iterator !== 'object' || iterator === null) return iterator;
        if (last?.epoch !== epoch || last.self !== this) last = { epoch, self: this, steps: [] };
        const { steps } = last;
        return recorded(iterator as Iterator<unknown>, ask, (count, value) => {
          const answer = answerOf(value);
          const before = steps[count];
          if (before === undefined) steps[count] = answer;
          else if (!isSame(before, answer)) differs(object, 'sequence');
        });
      };
    },

    becomes(object, key, value) {
      const memory = memories.has(object) ? memoryOf(object, key) : [];
      if (memory.some(({ answer }) => !isSame(answer, answerOf(value)))) differs(object, String(key));
    },

    isReading: () => reading > 0,
    describe,
    isDescribing: () => isDescribing,
    called: () => void epoch++,
  };
}

/** Passes each answer of an iterator to `note`, with its number. */
function recorded(
  iterator: Iterator<unknown>,
  ask: (work: Work, self: unknown, args: unknown[]) => unknown,
  note: (count: number, value: unknown) => void,
): object {
  let count = 0;
  const step =
    (method: 'next' | 'return' | 'throw'): Work =>
    (...args) => {
      const result = ask(Reflect.get(iterator, method) as Work, iterator, args);
      if (method !== 'next' || typeof result !== 'object' || result === null) return result;
      const { done, value } = result as IteratorResult<unknown>;
      note(count++, [Boolean(done), value]);
      return { done: Boolean(done), value };
    };
  return Object.create(iteratorPrototype, {
    next: { value: step('next') },
    ...('return' in iterator && { return: { value: step('return') } }),
    ...('throw' in iterator && { throw: { value: step('throw') } }),
  }) as object;
}

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;

function isSame(a: Answer, b: Answer): boolean {
  return a.text === '' ? Object.is(a.value, b.value) : a.text === b.text;
}

const everything = {
  depth: 8,
  customInspect: false,
  breakLength: Number.POSITIVE_INFINITY,
  maxArrayLength: 10_000,
  maxStringLength: 100_000,
};
