/** The same function, which computes each of the last texts once: a task's code is read several times in a row. */
export function remembered<Result extends object | string>(
  compute: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return text => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = compute(text);
    known.set(text, result);
    const [oldest] = known.size > MAX_TEXTS ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return result;
  };
}

const MAX_TEXTS = 64;
