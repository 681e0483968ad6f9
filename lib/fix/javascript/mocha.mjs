/** Runs mocha's tests with the project's own mocha, in a process of its own each time. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { settings } from './channel.mjs';
import { require, root, serve, testFiles } from './serve.mjs';

const manifest = require.resolve('mocha/package.json');
const program = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.mocha);
const reporter = fileURLToPath(new URL('mocha-reporter.cjs', import.meta.url));
const output = join(root, '..', 'report.json');
const { options, specs } = partsOf(settings.words);
const MAX_OUTPUT = 65_536;

await serve(async request => {
  rmSync(output, { force: true });
  const files = testFiles(request);
  // The project's configuration may add files.
  const paths = settings.tests.length > 0 ? files : specs;
  const args = [...options, '--reporter', reporter, '--timeout', String(request.seconds * 1000), ...paths];
  const titles = request.only?.map(id => escaped(id.split(' > ').slice(1).join(' '))) ?? [];
  if (titles.length > 0) args.push('--grep', `^(?:${titles.join('|')})$`);
  const complaint = await ended(args, request.seconds);
  if (!existsSync(output)) return { tests: [], fault: complaint };
  const { tests, fault } = JSON.parse(readFileSync(output, 'utf8'));
  const wanted = new Set(request.only ?? tests.map(({ id }) => id));
  const isWanted = ({ id }) => wanted.has(id) && (files.length === 0 || files.includes(id.split(' > ')[0]));
  return { tests: tests.filter(isWanted), fault };
});

/** Resolves with the line of the standard error that says why mocha could not start. */
function ended(args, seconds) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, HEFIX_SECONDS: String(seconds), HEFIX_REPORT: output, HEFIX_ROOT: root },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', piece => {
    if (text.length < MAX_OUTPUT) text += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(complaintIn(text)));
  });
}

function complaintIn(text) {
  const lines = text.split('\n').map(line => line.trim());
  return (
    lines.find(line => /^\S*Error\b/.test(line)) ?? lines.find(Boolean) ?? 'mocha ended without a report'
  );
}

/** The options and the paths of the project's own command, without options that change only what is shown or when it stops. */
function partsOf(words) {
  const options = [];
  const specs = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (/^(?:-w|--watch|-b|--bail|-p|--parallel|-C|--colors?|--exit|--forbid-only)$/.test(word)) continue;
    if (/^(?:-R|--reporter|-O|--reporter-options?|-t|--timeout|-j|--jobs|--retries)$/.test(word)) index++;
    else if (/^--(?:reporter|reporter-options?|timeout|jobs|retries)=/.test(word)) continue;
    else if (!word.startsWith('-')) specs.push(word);
    else {
      options.push(word);
      const takesValue =
        /^(?:-r|--require|--import|--loader|-f|-g|-i|-u|--ui|--config|--package|--extension|--ext|--file|--spec|--ignore|--exclude|--grep|--fgrep|--opts|--node-option)$/;
      if (takesValue.test(word)) options.push(words[++index] ?? '');
    }
  }
  return { options: [...options, '--exit'], specs };
}

function escaped(title) {
  return title.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
