import type { Report } from '../host/job.ts';
import { type Checks, type Evidence, shorten, shortenText } from './assertions/checks.ts';

/** The origin of a thrown value, if the candidate threw it. */
export interface Origins {
  add(thrown: unknown, origin: Origin): void;
  of(thrown: unknown): Origin | undefined;
}

interface Origin {
  /** The candidate's line, 1-based. */
  readonly line: number | undefined;
  /** `add(1, 2)` or `The candidate` */
  readonly doing: string;
}

export function createOrigins(): Origins {
  const objects = new WeakMap<object, Origin>();
  let last: { thrown: unknown; origin: Origin } | undefined;
  return {
    add(thrown, origin) {
      if (typeof thrown === 'object' && thrown !== null) objects.set(thrown, origin);
      last = { thrown, origin };
    },
    of(thrown) {
      if (typeof thrown === 'object' && thrown !== null) return objects.get(thrown);
      return last && Object.is(last.thrown, thrown) ? last.origin : undefined;
    },
  };
}

/** The verdict for an exception that the tests do not catch. */
export function uncaught(
  thrown: unknown,
  { checks, origins, entryPoint }: { checks: Checks; origins: Origins; entryPoint: string },
): Report {
  const error = thrown instanceof Error ? thrown : new Error();
  const test = checks.place(error);
  const at = test ? { test } : {};
  const origin = origins.of(thrown);
  const type = thrown instanceof Error ? thrown.name : typeof thrown;
  const text = shortenText(thrown instanceof Error ? thrown.message : shorten(thrown));

  if (!origin && isAssertionError(thrown)) {
    return { kind: 'verdict', verdict: { kind: 'failed', ...assertionEvidence(thrown, checks), ...at } };
  }
  if (!origin && checks.calls() === 0 && type !== 'ReferenceError') {
    const where = test ? ` (line ${test.line})` : '';
    return { kind: 'tests invalid', what: `fail before they call ${entryPoint}${where}: ${type}: ${text}` };
  }
  const line = origin?.line;
  const where = line === undefined ? '' : ` (line ${line})`;
  const who = origin
    ? origin.doing === 'The candidate' && checks.calls() === 0
      ? LOADING
      : origin.doing
    : 'The tests';
  const what = text ? `${type}: ${text.replace(/\.$/, '')}` : type;
  const exhausted = origin !== undefined && EXHAUSTED.test(text);
  // A test that throws its own error reports a failure, as an assertion does.
  const kind = exhausted ? 'memory' : !origin && type === 'Error' ? 'failed' : 'raised';
  return {
    kind: 'verdict',
    verdict: {
      kind,
      message: `${who} raised ${what}${where}.`,
      ...at,
      ...(kind === 'failed'
        ? {}
        : { exception: { type, message: text, ...(line === undefined ? {} : { line }) } }),
    },
  };
}

const LOADING = 'Loading the candidate';
/** V8's messages for buffers that exceed the isolate's limit. */
const EXHAUSTED = /^Array buffer allocation failed|^Invalid array buffer length/;

interface AssertionError extends Error {
  readonly actual: unknown;
  readonly expected: unknown;
  readonly operator: string;
  readonly generatedMessage: boolean;
}

export function isAssertionError(thrown: unknown): thrown is AssertionError {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_ASSERTION';
}

function assertionEvidence(error: AssertionError, checks: Checks): Evidence {
  const { operator, actual, expected } = error;
  if (operator === '==' && expected === true) return checks.evidence();
  const equalities = ['equal', '==', 'strictEqual', 'deepEqual', 'deepStrictEqual'];
  if (
    ![...equalities, '!=', 'notEqual', 'notStrictEqual', 'notDeepEqual', 'notDeepStrictEqual'].includes(
      operator,
    )
  ) {
    return { message: shortenText(error.message) || 'An assertion does not hold.' };
  }
  const sides = {
    actual: shorten(actual),
    expected: equalities.includes(operator) ? shorten(expected) : `not ${shorten(expected)}`,
  };
  return { message: `The tests got ${sides.actual}, but want ${sides.expected}.`, ...sides };
}
