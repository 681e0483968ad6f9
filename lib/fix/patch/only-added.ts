/** Whether a file keeps all of its lines, in their order. */
export function isOnlyAdded(before: string, after: string): boolean {
  const old = before.trimEnd().split('\n');
  let kept = 0;
  for (const line of after.split('\n'))
    if (kept < old.length && line.trimEnd() === old[kept]?.trimEnd()) kept++;
  return kept === old.length;
}
