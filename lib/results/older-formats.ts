/**
 * Reads files of earlier versions. Format 1 used other names for some verdicts and states, format 2 for some
 * fields; newer fields are optional or have defaults.
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

/** A record converted to the current format; anything that is not an older record is returned unchanged. */
export function currentRecord(value: unknown): unknown {
  if (!isPlain(value)) return value;
  const second = value.format === 1 ? secondRecord(value) : value;
  return withJudge(withReflect(second.format === 2 ? thirdRecord(second) : second));
}

/** A judge of two processes once called a pass `unproven` that the candidate's own code had decided. */
function withJudge(record: Plain): Plain {
  const renamed = (part: Plain) => (part.judge === 'unproven' ? { ...part, judge: 'isolated' } : part);
  return Array.isArray(record.attempts)
    ? renamed({ ...record, attempts: changed(record.attempts, renamed) })
    : renamed(record);
}

/** Tokens of the state `reflect` of the agent `react` were first counted as `diagnose`. */
function withReflect(record: Plain): Plain {
  const { token_usage: usage } = record;
  if (!isPlain(usage) || !isPlain(usage.nodes) || usage.nodes.diagnose === undefined) return record;
  const { diagnose: reflect, ...nodes } = usage.nodes;
  return { ...record, token_usage: { ...usage, nodes: { ...nodes, reflect } } };
}

/** A manifest converted to the current format. */
export function currentManifest(value: unknown): unknown {
  if (!isPlain(value) || (value.format !== 1 && value.format !== 2)) return value;
  const { machine: host, ...rest } = value;
  return { ...rest, format: 3, host };
}

function secondRecord({ verdict, example_verdict, attempts, path, ...rest }: Plain): Plain {
  return {
    ...rest,
    format: 2,
    verdict: renamedVerdict(verdict),
    ...(example_verdict === undefined ? {} : { example_verdict: renamedVerdict(example_verdict) }),
    attempts: changed(attempts, attempt => ({ ...attempt, verdict: renamedVerdict(attempt.verdict) })),
    path: Array.isArray(path) ? path.map(state => stateNames[String(state)] ?? state) : path,
  };
}

function renamedVerdict(verdict: unknown): unknown {
  return isPlain(verdict)
    ? { ...verdict, kind: verdictNames[String(verdict.kind)] ?? verdict.kind }
    : verdict;
}

function thirdRecord({ search, attempts, ...rest }: Plain): Plain {
  return {
    ...rest,
    format: 3,
    ...(search === undefined ? {} : { search: withRank(search) }),
    attempts: changed(attempts, ({ selection, ...attempt }) =>
      isPlain(selection) ? { ...attempt, selection: thirdSelection(selection) } : attempt,
    ),
  };
}

function thirdSelection({ origin, checks, ...selection }: Plain): Plain {
  const revealed = (check: Plain) => (check.source === 'told' ? { ...check, source: 'revealed' } : check);
  return { ...selection, origin: withRank(origin), checks: changed(checks, revealed) };
}

function withRank(value: unknown): unknown {
  if (!isPlain(value)) return value;
  const { place: rank, ...rest } = value;
  return { ...rest, rank };
}

function changed(list: unknown, change: (item: Plain) => Plain): unknown {
  return Array.isArray(list) ? list.map(item => (isPlain(item) ? change(item) : item)) : list;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
