import { execa } from 'execa';
import { type Finding, good, missing } from '../../cli/doctor/finding.ts';
import { HefixError } from '../../core/errors.ts';
import {
  requireTool,
  requireVersion,
  type ToolRequirement,
  toolEnvironment,
  toolRequirements,
} from './find-toolchain.ts';

/** The compilers that `--lang go`, `rust`, `cpp` and `java` need. */
export async function toolchainFindings(): Promise<readonly Finding[]> {
  return await Promise.all(
    Object.entries(toolRequirements).map(async ([lang, tool]) => toolchain(lang, tool)),
  );
}

async function toolchain(lang: string, tool: ToolRequirement): Promise<Finding> {
  const { language, packages, minimum } = tool;
  const install = `apt-get install ${packages}`;
  try {
    const path = requireTool(tool);
    const version = await versionOf(path, tool.versionWords);
    requireVersion(path, version, minimum);
    return good(language, `${version} at ${path}`);
  } catch (error) {
    const why =
      error instanceof HefixError && error.code === 'TOOLCHAIN_TOO_OLD'
        ? error.message
        : `no ${tool.program}`;
    return missing(
      language,
      `${why}, so --lang ${lang} has no sandbox`,
      `${install}; it needs ${minimum} or newer.`,
    );
  }
}

/** The first version in a program's output, on either stream. */
async function versionOf(path: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await execa(path, args, {
    cwd: '/',
    timeout: 30_000,
    reject: false,
    env: toolEnvironment,
  });
  // g++ puts the distribution's version in parentheses before its own.
  return /(?<!\d)\d+(?:\.\d+)+/.exec(`${stdout}\n${stderr}`.replace(/\([^()\n]*\)/g, ''))?.[0] ?? '0';
}
