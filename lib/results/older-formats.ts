/**
 * Reads what earlier versions wrote. Format 1 called some verdicts and states otherwise; fields that came later are
 * optional or have defaults, so that nothing else changes.
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

/** A record as the current format has it; what is no record of format 1 stays as it is. */
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

/** A manifest as the current format has it. */
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
