import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../../files/package.ts';
import { realPath } from '../../../files/paths.ts';
import { toolchainFailed } from '../errors.ts';
import { requireTool, requireVersion, textsIn, toolchainCache, toolRequirements } from '../find-toolchain.ts';

export interface RustTools {
  readonly rustc: string;
  readonly sysroot: string;
  /** Folders of the linker's own programs, and of the libraries that programs are linked with. */
  readonly bundled: string;
  readonly libraries: string;
  /** gcc, which knows the paths of the system's libraries. */
  readonly linker: string;
  readonly version: string;
}

/** Throws TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED. */
export async function findRust(): Promise<RustTools> {
  const compiler = requireTool(toolRequirements.rust);
  const linker = realPath(requireTool({ ...toolRequirements.rust, program: 'cc', packages: 'gcc' }));
  try {
    const ask = async (...args: string[]) =>
      (await execa(compiler, args, { cwd: '/', timeout: 30_000 })).stdout.trim();
    const version = /rustc (\S+)/.exec(await ask('--version'))?.[1] ?? '';
    const sysroot = await ask('--print', 'sysroot');
    requireVersion(compiler, version, toolRequirements.rust.minimum);
    // The rustc on the PATH may be rustup's proxy, which starts this one.
    const sysrootCompiler = join(sysroot, 'bin', 'rustc');
    const root = realPath(sysroot);
    const target = join(root, `lib/rustlib/${architectures[process.arch] ?? process.arch}-unknown-linux-gnu`);
    return {
      rustc: realPath(existsSync(sysrootCompiler) ? sysrootCompiler : compiler),
      sysroot: root,
      bundled: join(target, 'bin'),
      libraries: join(target, 'lib'),
      linker,
      version,
    };
  } catch (error) {
    if (error instanceof Error && 'hint' in error) throw error;
    throw toolchainFailed(compiler, 'rustc does not report its version', error);
  }
}

/** The standard library as a shared one; null where Rust comes without it. */
export function sharedLibrary({ libraries }: RustTools): string | null {
  const files = existsSync(libraries) ? readdirSync(libraries) : [];
  const name = files.find(file => /^libstd-.*\.so$/.test(file));
  return name === undefined ? null : realPath(join(libraries, name));
}

export const crateNames = ['hefix', 'rand', 'md5', 'regex'];

/** The folder with the compiled runtime and the crates that replace others. */
export async function rustCrates({ rustc, linker, version }: RustTools): Promise<string> {
  const runtime = packageFile('lib/extra/compiled/rust/runtime');
  return await toolchainCache('rust', [version, rustc, ...textsIn(runtime)], async folder => {
    const compile = async (name: string) => {
      const args = [
        ...['--edition', '2021', '--crate-type', 'rlib', '-C', 'opt-level=2', '-C', 'debuginfo=0'],
        ...['--cap-lints', 'allow', '-C', `linker=${linker}`, '--crate-name', name],
        ...['-o', join(folder, `lib${name}.rlib`), join(runtime, name, 'lib.rs')],
      ];
      await execa(rustc, args, { cwd: folder });
    };
    try {
      await Promise.all(crateNames.map(compile));
    } catch (error) {
      throw toolchainFailed(rustc, String(error).split('\n')[1] ?? String(error), error);
    }
  });
}

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64', arm64: 'aarch64' };
