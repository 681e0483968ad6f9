/**
 * Calls `found` where tests reach for what makes code of text, which may be an answer of the candidate. The source of most
 * such tests says so before they run; this finds the others, such as `(() => {}).constructor(f(1))`.
 */
export function watchCodeFromText(found: () => never): void {
  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  const places: readonly (readonly [object, string])[] = [
    ...kinds.map(each => [Object.getPrototypeOf(each) as object, 'constructor'] as const),
    [globalThis, 'Function'],
    [globalThis, 'eval'],
    ...['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen'].map(name => [process, name] as const),
  ];
  for (const [object, name] of places)
    Object.defineProperty(object, name, { get: found, configurable: false });
}
