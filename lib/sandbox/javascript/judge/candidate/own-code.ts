/**
 * Keeps what the candidate gave from being run as code in the judge's process: tests may evaluate text of their own,
 * `eval('f(2)')` or an expression that is also an argument, but not a result.
 */
export interface OwnCode {
  /** Text that the tests are about to evaluate; refuses what does not stand in them. */
  check<T>(text: T): T;
  /** Has the language's own makers of functions check their arguments. */
  install(): void;
}

/** `source` is the tests' program. `refuse` must not return. */
export function createOwnCode(source: string, refuse: (reason: string) => never): OwnCode {
  const check = <T>(text: T): T => {
    if (typeof text === 'string' && !source.includes(text.trim())) refuse('code, which the tests run');
    return text;
  };
  return {
    check,
    install() {
      for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}]) {
        const prototype = Object.getPrototypeOf(sample) as object;
        const maker = Reflect.get(prototype, 'constructor') as FunctionConstructor;
        const guarded = new Proxy(maker, {
          apply: (_maker, _self, texts) => maker(...texts.map(check)),
          construct: (_maker, texts) => maker(...texts.map(check)),
        });
        Object.defineProperty(prototype, 'constructor', { value: guarded });
        if (maker === Function) globalThis.Function = guarded;
      }
    },
  };
}

/** Modules of Node's that run text or files as code. */
export const runsCode: ReadonlySet<string> = new Set([
  'vm',
  'module',
  'repl',
  'worker_threads',
  'child_process',
  'cluster',
  'inspector',
]);
