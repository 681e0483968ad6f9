/**
 * Runs mocha's tests with the project's own mocha: all tests in a new process each time, and some tests in one that
 * loads the project's modules again, which takes a fraction of the time.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settings } from './channel.mjs';
import { complaintOf } from './complaint.mjs';
import { frameworkProgram, limitsOf, namePattern, root, serve, testFiles, wantedOf } from './serve.mjs';

const { folder, program } = frameworkProgram('mocha');
const reporter = fileURLToPath(new URL('mocha-reporter.cjs', import.meta.url));
const output = join(root, '..', 'report.json');
const { options, specs } = partsOf(settings.words);
/** What tests leave behind in a process does not add up forever. */
const MAX_RUNS = 200;
/** The process that runs the tests of some paths again; null for none. */
let warm = null;
/** Whether a process cannot run the tests again, for example because they are ESM modules. */
let isStuck = false;

await serve(async (request, _, changed) => {
  rmSync(output, { force: true });
  const files = testFiles(request);
  // The project's configuration may add files.
  const paths = settings.tests.length > 0 ? files : specs;
  const args = [...options, '--reporter', reporter, '--timeout', String(request.seconds * 1000), ...paths];
  const grep = namePattern(request);
  if (grep !== null) args.push('--grep', grep);
  const limits = limitsOf(request);
  const isWarm = grep !== null && !request.trace && !isStuck;
  const told = isWarm ? await toldAgain(args, paths, { grep, changed, limits }) : null;
  const { tests, fault } = told ?? (await toldOnce(args, limits));
  const isWanted = ({ id }) => files.length === 0 || files.includes(id.split(' > ')[0]);
  return { tests: wantedOf(tests, request).filter(isWanted), fault };
});

/** The report of a new process. */
async function toldOnce(args, limits) {
  const child = startMocha(args, limits, ['ignore', 'ignore', 'pipe']);
  const complaint = await complaintOf(child, 'mocha');
  return existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : { tests: [], fault: complaint };
}

/** The report of a process that has run these tests before, or will run them again; null if that is not possible. */
async function toldAgain(args, paths, request) {
  const key = paths.join('\n');
  if (warm !== null && (warm.key !== key || warm.hasEnded)) stopWarm();
  const isNew = warm === null;
  warm ??= startWarm(args, key, request.limits);
  const told = await new Promise(resolve => {
    warm.child.once('message', resolve);
    void warm.ended.then(fault => resolve({ tests: [], fault, isEnded: true }));
    if (!isNew) warm.child.send(request, () => {});
  });
  // With options for Node, mocha starts a process of its own, which has no channel.
  isStuck = told.isStuck === true || (told.isEnded === true && isNew && existsSync(output));
  warm.child.removeAllListeners('message');
  if (isStuck || ++warm.runs >= MAX_RUNS) stopWarm();
  return isStuck ? null : told;
}

function startWarm(args, key, limits) {
  const child = startMocha(args, limits, ['ignore', 'ignore', 'pipe', 'ipc']);
  const started = { child, key, runs: 0, hasEnded: false };
  const ended = complaintOf(child, 'mocha').then(complaint => {
    started.hasEnded = true;
    return complaint;
  });
  return Object.assign(started, { ended });
}

function stopWarm() {
  warm.child.kill('SIGKILL');
  warm = null;
}

function startMocha(args, limits, stdio) {
  const variables = {
    HEFIX_LIMITS: JSON.stringify(limits),
    HEFIX_REPORT: output,
    HEFIX_ROOT: root,
    HEFIX_MOCHA: folder,
  };
  return spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio,
  });
}

/**
 * The options and the paths of the project's own command, without options that say how tests are repeated, limited, shown
 * or stopped.
 */
function partsOf(argv) {
  const options = [];
  const specs = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index];
    if (/^(?:-w|--watch|-b|--bail|-p|--parallel|-C|--colors?|--exit|--forbid-only)$/.test(word)) continue;
    if (/^(?:-R|--reporter|-O|--reporter-options?|-t|--timeout|-j|--jobs|--retries)$/.test(word)) index++;
    else if (/^--(?:reporter|reporter-options?|timeout|jobs|retries)=/.test(word)) continue;
    else if (!word.startsWith('-')) specs.push(word);
    else {
      options.push(word);
      const takesValue =
        /^(?:-r|--require|--import|--loader|-f|-g|-i|-u|--ui|--config|--package|--extension|--ext|--file|--spec|--ignore|--exclude|--grep|--fgrep|--opts|--node-option)$/;
      if (takesValue.test(word)) options.push(argv[++index] ?? '');
    }
  }
  return { options: [...options, '--exit', ...unset()], specs };
}

/** Takes back what the project's configuration may say; mocha's command knows this since version 6. */
function unset() {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Number.parseInt(version, 10) < 6 ? [] : ['--no-bail', '--no-allow-uncaught'];
}
