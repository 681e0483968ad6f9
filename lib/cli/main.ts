import { hefixVersion } from '../files/package.ts';

/** The command line. Resolves with the exit code. Everything but the version is imported when it is needed. */
export async function main(
  args: readonly string[],
  signal: AbortSignal,
  onSecondInterrupt: (action: () => void) => void = () => {},
): Promise<number> {
  if (args[0] === '--version' || args[0] === 'version') {
    process.stdout.write(`${hefixVersion()}\n`);
    return 0;
  }
  const { runCommand } = await import('./run-command.ts');
  return await runCommand(args, signal, onSecondInterrupt);
}
