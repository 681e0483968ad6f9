/** Runs ava's tests with the project's own ava, in new processes each time. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { complaintOf } from './complaint.mjs';
import { frameworkProgram, limitsOf, root, serve, testFiles, wantedOf } from './serve.mjs';

const { program } = frameworkProgram('ava');
const reporter = fileURLToPath(new URL('ava-reporter.cjs', import.meta.url));
const output = join(root, '..', 'report.jsonl');
/** Ava compares each title with each pattern. */
const MAX_PATTERNS = 50;

await serve(async request => {
  rmSync(output, { force: true });
  const titles = request.only?.map(id => id.split(' > ').slice(1).join(' > ')) ?? [];
  const args = [
    ...['--serial', '--no-fail-fast', '--concurrency', '1', '--timeout', `${request.seconds + 10}s`],
    ...(titles.length <= MAX_PATTERNS ? titles.flatMap(title => ['--match', patternOf(title)]) : []),
    ...testFiles(request),
  ];
  const complaint = await complaintOf(startAva(args, limitsOf(request)), 'ava');
  const entries = existsSync(output) ? readFileSync(output, 'utf8').trim().split('\n').map(JSON.parse) : [];
  const fault = entries.find(entry => entry.fault)?.fault ?? (entries.length > 0 ? null : complaint);
  return {
    tests: wantedOf(
      entries.filter(({ id }) => id),
      request,
    ),
    fault,
  };
});

/** Patterns know no escapes. */
function patternOf(title) {
  return title.replace(/[!*\\]/g, '*');
}

function startAva(args, limits) {
  const variables = {
    HEFIX_LIMITS: JSON.stringify(limits),
    HEFIX_REPORT: output,
    HEFIX_ROOT: root,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS} --require ${JSON.stringify(reporter)}`,
  };
  return spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
