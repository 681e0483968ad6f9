import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExecaError, execa } from 'execa';
import { packageFile } from '../../../files/package.ts';
import { toolchainFailed } from '../errors.ts';
import { textsIn, toolchainCache } from '../find-toolchain.ts';
import { runGroup } from '../run-group.ts';
import { standardPaths } from './source-file.ts';

/** Go's programs, and the compiled packages that candidates and judges are linked with. */
export interface GoArchives {
  readonly folder: string;
  /** Files that list the compiled packages for the compiler, one for candidates and one for judges. */
  readonly candidate: string;
  readonly judge: string;
}

export interface GoTools {
  readonly go: string;
  readonly compile: string;
  readonly link: string;
  readonly version: string;
}

const ENVIRONMENT = {
  CGO_ENABLED: '0',
  GOFLAGS: '',
  GO111MODULE: 'off',
  GOTOOLCHAIN: 'local',
  GOPROXY: 'off',
  GOEXPERIMENT: '',
};

/** Builds them if they are not cached yet, which takes a few seconds. Throws TOOLCHAIN_FAILED. */
export async function goArchives(tools: GoTools): Promise<GoArchives> {
  const runtime = packageFile('lib/extra/compiled/go/runtime');
  const parts = [tools.version, tools.compile, ...standardPaths, ...textsIn(runtime)];
  const folder = await toolchainCache('go', parts, async (temporary, final) => {
    try {
      await buildArchives(tools, runtime, temporary, final);
    } catch (error) {
      throw toolchainFailed(tools.go, lastLine(error), error);
    }
  });
  return { folder, candidate: join(folder, 'candidate.cfg'), judge: join(folder, 'judge.cfg') };
}

/** File names in the folder by import path. */
type Packages = ReadonlyMap<string, string>;

async function buildArchives(tools: GoTools, runtime: string, folder: string, final: string): Promise<void> {
  const compilePackage = async (packages: Packages, path: string, name: string): Promise<Packages> => {
    const config = join(folder, 'build.cfg');
    await writeFile(config, configText(packages, folder));
    const files = (await readdir(join(runtime, name))).map(file => join(runtime, name, file));
    const output = `${name}.a`;
    await execa(tools.compile, ['-p', path, '-importcfg', config, '-pack', '-o', output, ...files], {
      cwd: folder,
    });
    return new Map([...packages, [path, output]]);
  };
  const candidate = await compilePackage(await copyLibrary(tools, folder), 'hefix/wire', 'wire');
  let judge = await compilePackage(candidate, 'hefix/judge', 'judge');
  judge = await compilePackage(judge, 'testing', 'testing');
  judge = await compilePackage(judge, 'github.com/stretchr/testify/assert', 'assert');
  await writeFile(join(folder, 'candidate.cfg'), configText(candidate, final));
  await writeFile(join(folder, 'judge.cfg'), configText(judge, final));
}

/** Copies the library's compiled packages from Go's own cache, which may delete them at any time. */
async function copyLibrary({ go }: GoTools, folder: string): Promise<Packages> {
  const options = { env: ENVIRONMENT, cwd: folder };
  const all = new Set((await execa(go, ['list', 'std'], options)).stdout.split('\n'));
  const wanted = standardPaths.filter(path => all.has(path));
  const format = '{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}';
  const listed = await runGroup(go, ['list', '-deps', '-export', '-f', format, ...wanted], options);
  const exported = listed.split('\n').filter(Boolean);
  const files = await Promise.all(
    exported.map(async (line, index) => {
      const equals = line.indexOf('=');
      const name = `std-${index}.a`;
      await copyFile(line.slice(equals + 1), join(folder, name));
      return [line.slice(0, equals), name] as const;
    }),
  );
  return new Map(files);
}

function configText(packages: Packages, folder: string): string {
  return [...packages].map(([path, file]) => `packagefile ${path}=${join(folder, file)}\n`).join('');
}

function lastLine(error: unknown): string {
  const text = error instanceof ExecaError ? String(error.stderr) : String(error);
  return text.trim().split('\n').at(-1) ?? '';
}
