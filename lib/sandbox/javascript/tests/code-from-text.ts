/** Modules that tests may load in the judge: none runs text as code, starts programs, or reaches files. */
const modules = new Set(
  `assert assert/strict test util util/types path path/posix path/win32 crypto buffer url querystring string_decoder events
   os perf_hooks process punycode js-md5`.split(/\s+/),
);

/** Whether the tests may load a module; relative names stand for the candidate. */
export function mayRequire(name: string): boolean {
  return name.startsWith('.') || modules.has(name.replace(/^node:/, ''));
}

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
