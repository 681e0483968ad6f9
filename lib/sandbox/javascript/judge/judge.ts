import type { Job, LoadRequest } from '../host/job.ts';
import { RECORDER } from '../host/recorder-name.ts';
import { createPeer } from '../realm/peer.ts';
import { type Call, createChecks, shorten, shortenText } from './assertions/checks.ts';
import { createCounter } from './assertions/counter.ts';
import { createFailures } from './assertions/failures.ts';
import { createReach } from './assertions/reach.ts';
import { createCandidateModule, defaultOf, loadedNames, namesToAsk } from './candidate/candidate-module.ts';
import { createGiven } from './candidate/given.ts';
import { createGuard } from './candidate/guard.ts';
import { offerHelpers } from './candidate/offer-helpers.ts';
import { createOwnCode } from './candidate/own-code.ts';
import { intrinsics } from './candidate/own-realm.ts';
import { createPatches } from './candidate/patches.ts';
import { createTurns } from './candidate/turns.ts';
import { createConnection, type JudgeIo } from './connection.ts';
import { reportAtEnd, runExitListeners } from './ending.ts';
import { installRandomness } from './randomness.ts';
import { isPrint, runHelpers, runTests, type TestRun } from './run-tests.ts';
import { createOrigins, uncaught } from './uncaught.ts';

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
  const connection = createConnection(io, checks);
  const { decide, refuse, doing } = connection;
  /** Whether the tests end the process themselves. */
  let isEnding = false;
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
      return connection.receive();
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
  const module = createCandidateModule(peer, { ...guard, classes: job.tests.classes });
  try {
    connection.receive();
    connection.start();
    const asked = namesToAsk(job);
    const readable = [...asked, ...job.helpers.names];
    io.send(JSON.stringify({ op: 'load', code: job.candidate, names: readable } satisfies LoadRequest));
    const names = loadedNames(peer, connection.receive(), asked, refuse);
    const entryPoint = names.includes(job.entryPoint)
      ? module.read(job.entryPoint)
      : defaultOf(module.exported());
    if (typeof entryPoint !== 'function') {
      decide({ kind: 'signature', message: `There is no function ${job.entryPoint}.` });
    }
    const helpers = runHelpers(job.helpers);
    for (const shared of offerHelpers(helpers, peer)) guard.keep(shared);
    const onError = counter?.interrupted ?? fail;
    run = runTests(job, names, {
      helpers,
      exported: module.exported,
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
      read: name => (name === job.entryPoint ? entryPoint : module.read(name)),
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

function callText(name: string, args: readonly unknown[]): string {
  return shortenText(`${name || 'A function'}(${args.map(shorten).join(', ')})`).slice(0, 200);
}
