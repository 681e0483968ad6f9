/**
 * Plain data without prompts, completions and code: numbers, booleans and names stay; of any other text, only
 * the length. Fields are left out unless they are listed here, so that a new field cannot leak.
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

/** Without spaces, line breaks and brackets, any text is at most a name. */
const WORD = /^[\w@./#:$-]{1,120}$/;

const names: ReadonlySet<string> = new Set([
  // Messages and snapshots
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
  // A task and its agent
  'language',
  'bugType',
  'feedback',
  'schedule',
  'node',
  'kind',
  'suite',
  'path',
]);
