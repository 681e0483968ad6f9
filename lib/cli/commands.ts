import { extras } from '../extras.ts';
import type { Command, CommandEntry } from './command.ts';

/** What each command does, in the order of the overview, extras last; the first is the default. */
const abouts = {
  run: 'repair the tasks of a dataset and measure how many pass',
  fix: 'repair the functions that make your own tests fail',
  score: 'judge samples that were made elsewhere',
  compare: 'compare two runs task by task',
  merge: 'join the results of a run that was split with --shard',
  export: 'write the results of runs as one table, .csv or .parquet',
  report: 'draw the results of a run as one page',
  view: 'browse runs, tasks and attempts on a local page',
  rerun: 'repeat a run and list what differs',
  verify: "check a dataset's canonical and buggy solutions in the sandbox",
  worker: 'take units of a run from a queue, on any number of machines',
  robust: 'compare the solutions of a run with the references on generated inputs',
  queue: 'show, pause, resume, drain or refill a queue, or open a page of its jobs',
  exec: 'judge one candidate with a file of tests',
  step: 'walk one task through the machine, one key per step',
  machine: "print an agent's state machine",
  models: 'list the models that --model can name',
  pull: 'fetch a model from the hub and make it ready to run',
  doctor: 'check what is installed and how to get the rest',
  trust: 'let the files of a folder set every option',
} as const;

const loaders: Readonly<Record<keyof typeof abouts, () => Promise<{ readonly command: Command }>>> = {
  run: () => import('./run/command.ts'),
  fix: () => import('./fix/command.ts'),
  score: () => import('./score/command.ts'),
  compare: () => import('./compare/command.ts'),
  merge: () => import('./merge/command.ts'),
  export: () => import('./export/command.ts'),
  report: () => import('./report/command.ts'),
  view: () => import('./view/command.ts'),
  rerun: () => import('./rerun/command.ts'),
  verify: () => import('./verify/command.ts'),
  worker: () => import('./worker/command.ts'),
  robust: () => import('./robust/command.ts'),
  queue: () => import('./queue/command.ts'),
  exec: () => import('./exec/command.ts'),
  step: () => import('./step/command.ts'),
  machine: () => import('./machine/command.ts'),
  models: () => import('./models/command.ts'),
  pull: () => import('./pull/command.ts'),
  doctor: () => import('./doctor/command.ts'),
  trust: () => import('./trust/command.ts'),
};

const extraCommands = extras.flatMap(({ commands = {} }) => Object.entries(commands));

export const commands = [
  ...Object.entries(abouts).map(([name, about]) => ({
    name,
    about,
    load: async () => (await loaders[name as keyof typeof abouts]()).command,
  })),
  ...extraCommands.map(([name, { about, load }]) => ({ name, about, load })),
] as [CommandEntry, ...CommandEntry[]];

export const commandNames: readonly string[] = commands.map(({ name }) => name);

export function findCommand(name: string): CommandEntry | undefined {
  return commands.find(command => command.name === name);
}
