/** The types that other names stand for, as written. */
export type Aliases = ReadonlyMap<string, string>;

/** An alias may be made of others; one made of itself is left as it is. */
const MAX_DEPTH = 16;
const MAX_LENGTH = 4096;

/** Replaces aliases with the types that they stand for. */
export function expandAliases(text: string, aliases: Aliases): string {
  let expanded = text;
  for (let depth = 0; depth < MAX_DEPTH && expanded.length <= MAX_LENGTH; depth++) {
    const next = expanded.replace(/\b[A-Za-z_]\w*\b/g, name => {
      const type = aliases.get(name);
      return type !== undefined && type.length <= MAX_LENGTH ? type : name;
    });
    if (next === expanded) return expanded;
    expanded = next;
  }
  return text;
}
