/**
 * Plain data without what prompts, completions and code could stand in: numbers, truth values and the texts that
 * name things stay, of any other text the length alone. What is not known to be harmless goes, so that a field that
 * is added somewhere else is left out until it is named here.
 */
export function withoutContent(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return isName(key, value) ? value : `(${value.length} characters left out)`;
  if (Array.isArray(value)) return value.map(entry => withoutContent(entry, key));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => WORD.test(name));
  return Object.fromEntries(kept.map(([name, entry]) => [name, withoutContent(entry, name)]));
}

function isName(key: string, value: string): boolean {
  return names.has(key) && WORD.test(value);
}

/** No space, line break or bracket: at most a name, whatever stands there. */
const WORD = /^[\w@./#:$-]{1,120}$/;

const names: ReadonlySet<string> = new Set([
  // Of messages and snapshots
  'type',
  'id',
  'sessionId',
  'rootId',
  'parentId',
  'sourceId',
  'actorId',
  'name',
  'createdAt',
  '_version',
  'status',
  'value',
  'src',
  'xstate$$type',
  // Of a task and its agent
  'language',
  'bugType',
  'feedback',
  'schedule',
  'node',
  'kind',
  'suite',
  'path',
]);
