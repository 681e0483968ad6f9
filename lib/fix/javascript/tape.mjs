/** Runs tape's tests with the project's own tape: each file is a program of its own. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settings } from './channel.mjs';
import { complaintOf } from './complaint.mjs';
import { failureOf, linesOf } from './describe-failure.mjs';
import { frameworkProgram, limitsOf, root, serve, testFiles, wantedOf } from './serve.mjs';

const { program } = frameworkProgram('tape');
const reporter = fileURLToPath(new URL('tape-reporter.cjs', import.meta.url));
const output = join(root, '..', 'report.json');
const loaders = loadersOf(settings.words);

await serve(async request => {
  const reports = [];
  for (const path of testFiles(request)) reports.push(await reportOf(path, request));
  const tests = reports.flatMap(report => report.tests);
  return {
    tests: wantedOf(tests, request),
    fault: reports.find(({ fault }) => fault !== null)?.fault ?? null,
  };
});

async function reportOf(path, request) {
  rmSync(output, { force: true });
  const complaint = await complaintAbout(path, limitsOf(request));
  if (!existsSync(output)) return { tests: [], fault: `${path}: ${complaint}` };
  const { tests, thrown } = JSON.parse(readFileSync(output, 'utf8'));
  return {
    tests: tests.map(({ error, lines, ...test }) => ({
      ...{ ...test, lines: linesOf(lines) },
      ...(error ? failureOf(root, error) : {}),
    })),
    fault: tests.length === 0 && thrown ? `${path}: ${thrown.name}: ${thrown.message.split('\n')[0]}` : null,
  };
}

/** Resolves, once the file has run, with why it could not. */
async function complaintAbout(path, limits) {
  const variables = {
    HEFIX_LIMITS: JSON.stringify(limits),
    HEFIX_REPORT: output,
    HEFIX_FILE: path,
    HEFIX_HOME: join(root, settings.home),
  };
  const argv = ['--require', reporter, program, ...loaders, path];
  const stdio = ['ignore', 'ignore', 'pipe'];
  const child = spawn(process.execPath, argv, { cwd: root, env: { ...process.env, ...variables }, stdio });
  // A test that waits runs no code that could be stopped.
  const timer = setTimeout(() => child.kill(), (limits.seconds + 1) * 1000);
  return await complaintOf(child, 'tape').finally(() => clearTimeout(timer));
}

/** What the project's own command loads before its tests. */
function loadersOf(argv) {
  return argv.flatMap((word, index) =>
    /^(?:-r|--require)$/.test(word) ? ['-r', argv[index + 1] ?? ''] : [],
  );
}
