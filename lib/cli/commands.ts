import type { CommandEntry } from './command.ts';

/** The commands; the first is the default. */
export const commands: readonly [CommandEntry, ...CommandEntry[]] = [
  {
    name: 'run',
    about: 'repair the tasks of a dataset and measure how many pass',
    load: async () => (await import('./run/command.ts')).runCommand,
  },
  {
    name: 'fix',
    about: 'repair the functions that make your own tests fail',
    load: async () => (await import('./fix/command.ts')).fixCommand,
  },
  {
    name: 'score',
    about: 'judge samples that were made elsewhere',
    load: async () => (await import('./score/command.ts')).scoreCommand,
  },
  {
    name: 'sweep',
    about: 'run every combination of agents, temperatures and numbers of iterations',
    load: async () => (await import('./sweep/command.ts')).sweepCommand,
  },
  {
    name: 'compare',
    about: 'compare two runs task by task',
    load: async () => (await import('./compare/command.ts')).compareCommand,
  },
  {
    name: 'merge',
    about: 'join the results of a run that was split with --shard',
    load: async () => (await import('./merge/command.ts')).mergeCommand,
  },
  {
    name: 'report',
    about: 'draw the results of a run as one page',
    load: async () => (await import('./report/command.ts')).reportCommand,
  },
  {
    name: 'view',
    about: 'browse runs, tasks and attempts on a local page',
    load: async () => (await import('./view/command.ts')).viewCommand,
  },
  {
    name: 'rerun',
    about: 'repeat a run and list what differs',
    load: async () => (await import('./rerun/command.ts')).rerunCommand,
  },
  {
    name: 'verify',
    about: "check a dataset's canonical and buggy solutions in the sandbox",
    load: async () => (await import('./verify/command.ts')).verifyCommand,
  },
  {
    name: 'attack',
    about: "attack hefix's sandbox, or another judge",
    load: async () => (await import('./attack/command.ts')).attackCommand,
  },
  {
    name: 'worker',
    about: 'take units of a run from a queue, on any number of machines',
    load: async () => (await import('./worker/command.ts')).workerCommand,
  },
  {
    name: 'robust',
    about: 'compare the solutions of a run with the references on generated inputs',
    load: async () => (await import('./robust/command.ts')).robustCommand,
  },
  {
    name: 'queue',
    about: 'show, pause, resume, drain or refill a queue, or open a page of its jobs',
    load: async () => (await import('./queue/command.ts')).queueCommand,
  },
  {
    name: 'exec',
    about: 'judge one candidate with a file of tests',
    load: async () => (await import('./exec/command.ts')).execCommand,
  },
  {
    name: 'step',
    about: 'walk one task through the machine, one key per step',
    load: async () => (await import('./step/command.ts')).stepCommand,
  },
  {
    name: 'machine',
    about: "print an agent's state machine",
    load: async () => (await import('./machine/command.ts')).machineCommand,
  },
  {
    name: 'models',
    about: 'list the models that --model can name',
    load: async () => (await import('./models/command.ts')).modelsCommand,
  },
  {
    name: 'pull',
    about: 'fetch a model from the hub and make it ready to run',
    load: async () => (await import('./pull/command.ts')).pullCommand,
  },
  {
    name: 'doctor',
    about: 'check what is installed and how to get the rest',
    load: async () => (await import('./doctor/command.ts')).doctorCommand,
  },
  {
    name: 'trust',
    about: 'let the files of a folder set every option',
    load: async () => (await import('./trust/command.ts')).trustCommand,
  },
  {
    name: 'mcp',
    about: 'offer sandbox and repairs to other agents over MCP',
    load: async () => (await import('./mcp/command.ts')).mcpCommand,
  },
  {
    name: 'completion',
    about: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion/command.ts')).completionCommand,
  },
];

export const commandNames: readonly string[] = commands.map(({ name }) => name);

export function findCommand(name: string): CommandEntry | undefined {
  return commands.find(command => command.name === name);
}
