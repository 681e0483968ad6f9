import type { Verdict } from '../../../core/verdict.ts';
import type { Job, LoadRequest, Loss, Report } from '../host/job.ts';
import { RECORDER } from '../host/recorder-name.ts';
import type { Loaded } from '../realm/messages.ts';
import { createPeer, type Peer } from '../realm/peer.ts';
import { type Call, createChecks, shorten, shortenText } from './checks.ts';
import { createCounter } from './counter.ts';
import { reportAtEnd, runExitListeners } from './ending.ts';
import { createFailures } from './failures.ts';
import { createGiven } from './given.ts';
import { createGuard } from './guard.ts';
import { offerHelpers } from './offer-helpers.ts';
import { createOwnCode } from './own-code.ts';
import { intrinsics } from './own-realm.ts';
import { createPatches } from './patches.ts';
import { installRandomness } from './randomness.ts';
import { createReach } from './reach.ts';
import { isPrint, runHelpers, runTests, type TestRun } from './run-tests.ts';
import { createTurns } from './turns.ts';
import { createOrigins, uncaught } from './uncaught.ts';

/** The judge's connections. */
export interface JudgeIo {
  /** Reports that the candidate's code runs from now on. */
  started(): void;
  /** Sends the report and ends the process. */
  report(report: Report): never;
  send(message: string): void;
  /** Null if the candidate's process has ended. */
  receive(): string | null;
}

/**
 * Loads the candidate in the other process, runs the tests here and reports once: at the first assertion that
 * fails, at an uncaught exception, or when nothing is left to run. Where assertions are counted, these are all that is
 * reported: when nothing is left to run, or where a verdict would be.
 */
export function judge(job: Job, judgeIo: JudgeIo): void {
  const counter = job.tests.counted && createCounter(job.tests.counted, judgeIo.report);
  const io = counter ? { ...judgeIo, report: () => counter.finish(false) } : judgeIo;
  Error.stackTraceLimit = 100;
  installRandomness(job.seed, /\bcrypto\b/.test(job.tests.program));
  const checks = createChecks(job.tests);
  const reach = createReach(job.tests.bodies);
  const origins = createOrigins();
  /** Whether the candidate's own code decided a comparison. */
  let isUnproven = false;
  const decide = (verdict: Verdict, error?: Error): never => {
    const test = error && checks.place(error);
    return io.report({ kind: 'verdict', verdict: test ? { ...verdict, test } : verdict });
  };
  const doing = (): string => {
    const call = checks.lastCall();
    return call && !call.returned ? call.text : 'The candidate';
  };
  const refuse = (reason: string): never =>
    decide(
      { kind: 'not-serializable', message: `${doing()} gave ${shortenText(reason)}, not plain data.` },
      new Error(),
    );
  let started = false;
  /** Whether the tests end the process themselves. */
  let isEnding = false;
  const receive = (): string => {
    const text = io.receive();
    const loss = text === null ? null : lossIn(text);
    if (text !== null && loss === null) return text;
    // Earlier errors are ours; from here on, messages may come from the candidate.
    if (!started)
      return io.report(
        loss?.op === 'no isolated-vm' ? { kind: loss.op, why: loss.why } : { kind: 'not started' },
      );
    if (loss?.op === 'no isolated-vm') return refuse('a message that cannot be read');
    const test = checks.place(new Error());
    return io.report({ kind: 'lost', why: loss?.why ?? 'gone', doing: doing(), ...(test ? { test } : {}) });
  };

  const ownCode = createOwnCode(job.tests.program, refuse);
  const sourceOf = Function.prototype.toString;
  const isBuiltin = (object: object): boolean => intrinsics.builtins.pathOf(object) !== undefined;
  const given = createGiven(
    [job.tests.program, job.helpers.program],
    work => isBuiltin(work) || peer.isTheirs(work),
  );
  const fail = (thrown: unknown): never =>
    io.report(uncaught(thrown, { checks, origins, entryPoint: job.entryPoint }));
  const failures = createFailures({
    marker: `${RECORDER}.`,
    isTheirs: thrown => origins.of(thrown) !== undefined,
    fail,
  });
  const guard = createGuard({
    given,
    entryPoint: job.entryPoint,
    environment: job.tests.environment,
    isBuiltin,
    isFailure: failures.includes,
    refuse,
    unproven() {
      isUnproven = true;
    },
  });
  let run: TestRun | undefined;
  const peer = createPeer({
    intrinsics,
    exchange(text) {
      io.send(text);
      return receive();
    },
    refuse,
    unsendable: what =>
      io.report({ kind: 'tests invalid', what: `pass ${what} to the candidate, which cannot be sent` }),
    onThrown(thrown, line) {
      if (!failures.includes(thrown)) origins.add(thrown, { line, doing: doing() });
    },
    onAsk: failures.asked,
    onPromise: failures.promised,
    onServedThrow(thrown, work) {
      const isFunction = typeof work === 'function';
      failures.served(thrown, isFunction ? String(Reflect.apply(sourceOf, work, [])) : '');
    },
    adapt: guard.adapt,
    inherit: guard.inherit,
    protect: guard.protect,
    stays(object) {
      if (typeof object === 'function') reach.give(object);
      return guard.stays(object);
    },
    serve: reach.serve,
    serveOther(question) {
      if (question.op !== 'print' || !isPrint(question.method))
        return refuse('a question that nobody answers');
      const args = peer.decode(question.graph);
      return peer.describeCall(() => run?.print(question.method, args));
    },
    isNoSelf: self => run?.isScope(self) === true,
    onConstruct: guard.trustClass,
    onCall(name, args) {
      for (const arg of args) if (typeof arg === 'function') reach.give(arg);
      guard.called();
      patches.send();
      const text = guard.describe(() => callText(name, args));
      const call: Call = { text, returned: false, result: undefined };
      checks.called(call);
      return result => {
        call.returned = true;
        call.result = result;
      };
    },
    onAnswer: answer => turns.answered(answer),
    onNews: () => turns.news(),
  });
  /** Of two objects of the candidate's classes, only the candidate knows whether they are alike. */
  const noteComparison = (name: string, args: readonly unknown[]): void => {
    if (/deep.*equal/i.test(name) && args.slice(0, 2).every(isInstance)) isUnproven = true;
  };
  const isInstance = (value: unknown): boolean => {
    const prototype = peer.isTheirs(value) ? (Object.getPrototypeOf(value) as object | null) : null;
    return prototype !== null && peer.isTheirs(prototype);
  };
  const turns = createTurns(op => peer.ask({ op }), reach);
  const patches = createPatches((path, value) =>
    peer.ask({ op: 'patch', graph: peer.encode([path, value]) }),
  );
  const read = (name: string): unknown => {
    const value = peer.ask({ op: 'name', name });
    if (job.tests.classes.includes(name) && typeof value === 'function') guard.trustClass(value);
    return value;
  };
  const exported = (): unknown => {
    const value = peer.ask({ op: 'exports' });
    if (typeof value !== 'object' || value === null) return value;
    guard.trustModule(value);
    for (const name of job.tests.classes) {
      const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      if (typeof found === 'function') guard.trustClass(found);
    }
    return value;
  };

  try {
    receive();
    started = true;
    io.started();
    const asked = namesToAsk(job);
    const readable = [...asked, ...job.helpers.names];
    io.send(JSON.stringify({ op: 'load', code: job.candidate, names: readable } satisfies LoadRequest));
    const names = loadedNames(peer, receive(), asked, refuse);
    const entryPoint = names.includes(job.entryPoint) ? read(job.entryPoint) : defaultOf(exported());
    if (typeof entryPoint !== 'function') {
      decide({ kind: 'signature', message: `There is no function ${job.entryPoint}.` });
    }
    const helpers = runHelpers(job.helpers);
    for (const shared of offerHelpers(helpers, peer)) guard.keep(shared);
    const onError = counter?.interrupted ?? fail;
    run = runTests(job, names, {
      helpers,
      exported,
      reach,
      recorder: { ...checks.recorder, ...failures.recorder, ...counter?.recorder, own: ownCode.check },
      watch: {
        count: (name, args) => noteComparison(name, args),
        caught(thrown, expected) {
          if (typeof expected === 'function' && peer.isTheirs(expected) && !isErrorClass(expected))
            refuse('a function in place of a class of errors');
          failures.caught(thrown, expected);
        },
      },
      mocked: given.add,
      read: name => (name === job.entryPoint ? entryPoint : read(name)),
      assertionFailed(error) {
        if (counter) throw error;
        return decide({ kind: 'failed', ...checks.evidence() }, error);
      },
      exited(code) {
        const left = code === 0 && !run?.finished() ? checks.unrunAfter(new Error()) : undefined;
        if (left !== undefined) io.report({ kind: 'tests invalid', what: `exit before line ${left} is run` });
        process.exitCode = code;
        isEnding = true;
        return end();
      },
      fail: onError,
      invalid: what => io.report({ kind: 'tests invalid', what }),
    });
    patches.begin(job.tests);
    intrinsics.hideSources(peer.isTheirs, () => refuse('the source of a function'));
    ownCode.install();
    given.install();
    process.on('uncaughtException', onError);
    process.on('unhandledRejection', onError);
    process.on('exit', () => end());
    run.start();
  } catch (thrown) {
    fail(thrown);
  }

  function end(): never {
    try {
      runExitListeners();
    } catch (thrown) {
      fail(thrown);
    }
    if (counter) counter.finish(run?.finished() === true);
    for (const thrown of failures.pending()) fail(thrown);
    const report = reportAtEnd({
      entryPoint: job.entryPoint,
      run,
      reach,
      isEnding,
      throws: job.tests.throws,
      calls: checks.calls(),
      unsettled: peer.unsettled(),
    });
    if (report.kind !== 'verdict') return io.report(report);
    if (report.verdict.kind === 'failed') decide(report.verdict, new Error());
    return io.report(isUnproven ? { ...report, unproven: true } : report);
  }
}

function isErrorClass(maker: object): boolean {
  return Object.prototype.isPrototypeOf.call(Error, maker);
}

/** A module may be a function, or have one as its default export. */
export function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return exported;
  return Reflect.get(exported, 'default');
}

/**
 * Names that may be the candidate's, without those of the language or the task, which it must not redefine
 * for the tests.
 */
export function namesToAsk({ tests, entryPoint, helpers }: Omit<Job, 'candidate'>): string[] {
  const isOurs = (name: string): boolean =>
    name in globalThis || harnessNames.has(name) || helpers.names.includes(name);
  const wanted = [...tests.names.filter(name => !isOurs(name)), ...tests.members];
  return [...new Set([entryPoint, ...wanted])];
}

/** Names that Node gives to a module, and test runners to their tests. */
const harnessNames = new Set(
  `require module exports __filename __dirname arguments undefined ${RECORDER} describe it test suite expect before after
   beforeEach afterEach beforeAll afterAll jest vi sinon chai should assert`.split(/\s+/),
);

/** The names that the candidate's program has; throws what the candidate threw while loading. */
function loadedNames(
  peer: Peer,
  text: string,
  asked: readonly string[],
  refuse: (reason: string) => never,
): string[] {
  const message = peer.read(text);
  if (message.op === 'answer' || message.op === 'refused') {
    peer.value(message);
    return [];
  }
  const { names } = message as Partial<Loaded>;
  if (message.op !== 'loaded' || !Array.isArray(names)) return refuse('a message that cannot be read');
  return asked.filter(name => names.includes(name));
}

function lossIn(text: string): Loss | null {
  if (!/^\{"op":"(lost|no isolated-vm)"/.test(text)) return null;
  try {
    const { op, why } = JSON.parse(text) as Loss;
    if (op === 'no isolated-vm') return { op, why: String(why) };
    return { op: 'lost', why: why === 'memory' ? 'memory' : 'exited' };
  } catch {
    return null;
  }
}

function callText(name: string, args: readonly unknown[]): string {
  return shortenText(`${name || 'A function'}(${args.map(shorten).join(', ')})`).slice(0, 200);
}
