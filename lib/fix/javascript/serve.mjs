/**
 * Runs the tests of a JavaScript project for `hefix fix`, repeatedly, each time with other files replaced. Started
 * inside a jail, with the copy of the project as the last argument. Code of the project shares this process, so its
 * reports are `isolated`, never `proven`.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answer, nextRequest, settings } from './channel.mjs';

// Tests that read their arguments expect none.
const [source] = process.argv.splice(2);

/** A copy of the project that may be written, as a user would have it, with its packages. */
export const root = join(process.cwd(), 'work', 'project');
mkdirSync(dirname(root), { recursive: true });
copyFolder(source, root);
for (const { path, folder, inside } of settings.modules)
  linkPackages(join(root, folder, 'node_modules'), path, inside);
process.chdir(root);
Object.assign(process.env, settings.env);
if (settings.paths.length > 0) {
  process.env.NODE_PATH = settings.paths.map(path => join(root, path)).join(':');
  Module._initPaths();
}
/** What hefix's own code, added to a file, writes during a run. */
const notes = join(process.cwd(), '..', 'notes');
process.env.HEFIX_NOTES = notes;
// For the threads and processes of frameworks.
const preloaded = fileURLToPath(new URL('in-jail.cjs', import.meta.url));
createRequire(import.meta.url)(preloaded);
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require ${JSON.stringify(preloaded)}`.trim();

/** The folder of a framework's package, and the program that its command starts. */
export function frameworkProgram(name) {
  const folder = join(root, settings.home, 'node_modules', name);
  // Not every package exports its package.json.
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, program: join(folder, typeof bin === 'string' ? bin : bin[name]) };
}

/** Resolves from the folder in which the framework is installed. */
export const require = createRequire(join(root, settings.home, 'package.json'));

/** Like cpSync, which changes modes of files; jails of ordinary users do not allow that at the level ulimit. */
function copyFolder(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [path, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(path, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(path), copy);
    else writeFileSync(copy, readFileSync(path), { mode: statSync(path).mode });
  }
}

/**
 * Frameworks write caches into the folder, so that it is one of its own whose entries are links. Packages of the
 * project itself are those of the copy.
 */
function linkPackages(folder, modules, inside, scope = '') {
  mkdirSync(folder, { recursive: true });
  for (const name of namesIn(modules)) {
    if (/^\.(?:vite|vite-temp|vitest|cache)$/.test(name)) continue;
    const local = inside[scope + name];
    if (name.startsWith('@')) linkPackages(join(folder, name), join(modules, name), inside, `${name}/`);
    else symlinkSync(local === undefined ? join(modules, name) : join(root, local), join(folder, name));
  }
}

/** None in a folder that the jail does not show, because it is a link that leads out of the project. */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Answers requests until there are no more, then ends the process. @param runTests gets a request, its number and the
 * paths of the files that differ from the last run; resolves with the tests and why some could not be loaded, or null
 */
export async function serve(runTests) {
  const plain = new Map(
    Object.entries(settings.instrumented).map(([path, content]) => [path, Buffer.from(content, 'base64')]),
  );
  for (const [path, content] of plain) writeFileSync(join(root, path), content);
  answer({ ready: true });
  let before = [];
  for (let request = nextRequest(), count = 1; request !== null; request = nextRequest(), count++) {
    const { id, files } = request;
    const paths = Object.keys(files);
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), Buffer.from(files[path], 'base64'));
    }
    const changed = [...new Set([...before, ...paths])];
    const report = await runTests(request, count, changed).catch(failure => ({
      tests: [],
      fault: `${failure?.name}: ${String(failure?.message).split('\n')[0]}`,
      broken: true,
    }));
    answer({ id, ...report, ...takenNotes() });
    for (const path of paths)
      if (plain.has(path) || existsSync(join(source, path)))
        writeFileSync(join(root, path), plain.get(path) ?? readFileSync(join(source, path)));
      else rmSync(join(root, path), { force: true });
    before = paths;
  }
  process.exit(0);
}

function takenNotes() {
  if (!existsSync(notes)) return {};
  const text = readFileSync(notes, 'utf8');
  rmSync(notes);
  return { notes: text };
}

/** The files of the tests that a request wants to run; empty to leave the choice to the framework. */
export function testFiles({ only }) {
  const files = only?.map(id => id.split(' > ')[0]) ?? settings.tests;
  return [...new Set(files)].filter(path => existsSync(join(root, path)));
}

/**
 * A regular expression of the names of the tests that a request wants to run, with those of the suites they are in;
 * null for all tests. Tests of other files may have the same names. Frameworks join the names with spaces, but a name
 * itself may contain the separator of ids.
 */
export function namePattern({ only }) {
  const names = only?.map(id => id.split(' > ').slice(1).map(escaped).join('(?: > | )')) ?? [];
  return names.length > 0 ? `^(?:${names.join('|')})$` : null;
}

function escaped(name) {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The limits of a request for `limit` of trace.cjs. */
export function limitsOf({ seconds, cpu_seconds: cpuSeconds, only }) {
  return { seconds, cpuSeconds, stops: only !== null || cpuSeconds !== null };
}

/** The tests that a request wants to run, among those that have run. */
export function wantedOf(tests, { only }) {
  const wanted = only?.length > 0 ? new Set(only) : null;
  return wanted === null ? tests : tests.filter(({ id }) => wanted.has(id));
}
