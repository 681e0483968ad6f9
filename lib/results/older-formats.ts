/**
 * Reads files of earlier versions. Format 1 used other names for some verdicts and states; newer fields are
 * optional or have defaults.
 */

const verdictNames: Readonly<Record<string, string>> = {
  misfit: 'edit-not-applicable',
  refused: 'not-serializable',
};
const stateNames: Readonly<Record<string, string>> = {
  broken: 'error',
  exhausted: 'unsolved',
  sift: 'prescreen',
  widen: 'combinePairs',
};

type Plain = Readonly<Record<string, unknown>>;

/** A record converted to the current format; anything that is not a format 1 record is returned unchanged. */
export function currentRecord(value: unknown): unknown {
  if (!isPlain(value) || value.format !== 1) return value;
  const { verdict, example_verdict, attempts, path } = value;
  return {
    ...value,
    format: 2,
    verdict: currentVerdict(verdict),
    ...(example_verdict === undefined ? {} : { example_verdict: currentVerdict(example_verdict) }),
    attempts: Array.isArray(attempts) ? attempts.map(currentAttempt) : attempts,
    path: Array.isArray(path) ? path.map(state => stateNames[String(state)] ?? state) : path,
  };
}

/** A manifest converted to the current format. */
export function currentManifest(value: unknown): unknown {
  return isPlain(value) && value.format === 1 ? { ...value, format: 2 } : value;
}

function currentAttempt(attempt: unknown): unknown {
  return isPlain(attempt) ? { ...attempt, verdict: currentVerdict(attempt.verdict) } : attempt;
}

function currentVerdict(verdict: unknown): unknown {
  return isPlain(verdict)
    ? { ...verdict, kind: verdictNames[String(verdict.kind)] ?? verdict.kind }
    : verdict;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
