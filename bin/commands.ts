import type { CommandEntry } from './command.ts';

/** The commands; the first is the default. */
export const commands: readonly [CommandEntry, ...CommandEntry[]] = [
  {
    name: 'run',
    about: 'repair the tasks of a dataset and measure how many pass',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'fix',
    about: 'repair the functions that make your own tests fail',
    load: async () => (await import('./commands/fix.ts')).fixCommand,
  },
  {
    name: 'score',
    about: 'judge samples that were made elsewhere',
    load: async () => (await import('./commands/score.ts')).scoreCommand,
  },
  {
    name: 'sweep',
    about: 'run every combination of agents, temperatures and numbers of iterations',
    load: async () => (await import('./commands/sweep.ts')).sweepCommand,
  },
  {
    name: 'compare',
    about: 'compare two runs task by task',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  {
    name: 'merge',
    about: 'join the results of a run that was split with --shard',
    load: async () => (await import('./commands/merge.ts')).mergeCommand,
  },
  {
    name: 'report',
    about: 'draw the results of a run as one page',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'view',
    about: 'browse runs, tasks and attempts on a local page',
    load: async () => (await import('./commands/view.ts')).viewCommand,
  },
  {
    name: 'rerun',
    about: 'repeat a run and list what differs',
    load: async () => (await import('./commands/rerun.ts')).rerunCommand,
  },
  {
    name: 'verify',
    about: "check a dataset's canonical and buggy solutions in the sandbox",
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  {
    name: 'attack',
    about: "attack hefix's sandbox, or another judge",
    load: async () => (await import('./commands/attack.ts')).attackCommand,
  },
  {
    name: 'worker',
    about: 'take units of a run from a queue, on any number of machines',
    load: async () => (await import('./commands/worker.ts')).workerCommand,
  },
  {
    name: 'robust',
    about: 'compare the solutions of a run with the references on generated inputs',
    load: async () => (await import('./commands/robust.ts')).robustCommand,
  },
  {
    name: 'queue',
    about: 'show, pause, resume, drain or refill a queue, or open a page of its jobs',
    load: async () => (await import('./commands/queue.ts')).queueCommand,
  },
  {
    name: 'exec',
    about: 'judge one candidate with a file of tests',
    load: async () => (await import('./commands/exec.ts')).execCommand,
  },
  {
    name: 'step',
    about: 'walk one task through the machine, one key per step',
    load: async () => (await import('./commands/step.ts')).stepCommand,
  },
  {
    name: 'machine',
    about: "print an agent's state machine",
    load: async () => (await import('./commands/machine.ts')).machineCommand,
  },
  {
    name: 'models',
    about: 'list the models that --model can name',
    load: async () => (await import('./commands/models.ts')).modelsCommand,
  },
  {
    name: 'pull',
    about: 'fetch a model from the hub and make it ready to run',
    load: async () => (await import('./commands/pull.ts')).pullCommand,
  },
  {
    name: 'doctor',
    about: 'check what is installed and how to get the rest',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'trust',
    about: 'let the files of a folder set every option',
    load: async () => (await import('./commands/trust.ts')).trustCommand,
  },
  {
    name: 'mcp',
    about: 'offer sandbox and repairs to other agents over MCP',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  {
    name: 'completion',
    about: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
];

export const commandNames: readonly string[] = commands.map(({ name }) => name);

export function findCommand(name: string): CommandEntry | undefined {
  return commands.find(command => command.name === name);
}
