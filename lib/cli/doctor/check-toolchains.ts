import { execa } from 'execa';
import { HefixError } from '../../core/errors.ts';
import {
  requireTool,
  requireVersion,
  type ToolRequirement,
  toolRequirements,
} from '../../sandbox/compiled/find-toolchain.ts';
import { type Finding, good, missing } from './finding.ts';

/** The compilers that `--lang go`, `rust`, `cpp` and `java` need. */
export async function checkToolchains(): Promise<readonly Finding[]> {
  return await Promise.all(
    Object.entries(toolRequirements).map(async ([lang, tool]) => checkToolchain(lang, tool)),
  );
}

async function checkToolchain(lang: string, tool: ToolRequirement): Promise<Finding> {
  const { language, packages, minimum } = tool;
  const install = `apt-get install ${packages}`;
  try {
    const path = requireTool(tool);
    const version = await versionOf(path, lang === 'go' ? 'version' : '--version');
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
async function versionOf(path: string, word: string): Promise<string> {
  const { stdout, stderr } = await execa(path, [word], { timeout: 30_000, reject: false });
  // g++ puts the distribution's version in parentheses before its own.
  return /\d+(?:\.\d+)+/.exec(`${stdout}\n${stderr}`.replace(/\([^)\n]*\)/g, ''))?.[0] ?? '0';
}
