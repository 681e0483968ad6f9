import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { closeInOrder } from '../../../core/async.ts';
import { realPath } from '../../../files/paths.ts';
import { openParser } from '../../../syntax/parser.ts';
import { type BuildResult, createBuilder, type FailedBuild } from '../builder.ts';
import type { ToolchainHost } from '../compiled-sandbox.ts';
import { toolchainFailed } from '../errors.ts';
import { signalOf } from '../execute-pair.ts';
import { requireTool, requireVersion, toolEnvironment, toolRequirements } from '../find-toolchain.ts';
import { createKeptPrograms, nativeRuntime } from '../native-runtime.ts';
import { type CandidateEnd, type Complaint, faultOf, type Toolchain, throwTestsFault } from '../toolchain.ts';
import { type GoTools, goArchives } from './archives.ts';
import { candidateHeader } from './signature.ts';
import { candidateFile, candidateSources, checkedSources, judgeSources } from './sources.ts';

/**
 * Go without its `go` command: compiler and linker are called directly, so that build tags, cgo, go:embed and
 * go:generate have no effect. Rejects with TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED.
 */
export async function openGo({ isolation, python }: ToolchainHost): Promise<Toolchain> {
  const [tools, parser] = await Promise.all([findGo(), openParser('go')]);
  const archives = await goArchives(tools);
  const programs = createKeptPrograms();
  const builder = createBuilder(isolation, python, {
    readable: [archives.folder],
    executable: [tools.compile, tools.link],
    // The compiler exits soon, so collecting garbage would cost more than it saves.
    environment: { GOGC: 'off', GOMEMLIMIT: `${COLLECT_MIB}MiB` },
  });
  const build = (
    config: string,
    sources: Record<string, string>,
    signal: AbortSignal,
  ): Promise<BuildResult> =>
    builder.run(
      {
        files: sources,
        commands: [
          [...compile(tools, config, 'main', 'main.o'), ...Object.keys(sources)],
          [tools.link, '-importcfg', config, '-s', '-w', '-o', 'program', 'main.o'],
        ],
        outputs: ['program'],
      },
      signal,
    );
  return {
    version: `Go ${tools.version}`,
    files: nativeRuntime(programs),
    async buildJudge(task, signal) {
      const result = await build(archives.judge, judgeSources(parser, task), signal);
      if ('status' in result) throwTestsFault(result, firstComplaint(result), undefinedName);
      return await programs.judges.add(result.outputs[0] as Buffer);
    },
    async buildCandidate(task, candidate, signal) {
      const result = await build(archives.candidate, candidateSources(parser, task, candidate), signal);
      if ('status' in result) return faultOf(result, firstComplaint(result), candidateFile);
      return await programs.candidates.add(result.outputs[0] as Buffer);
    },
    async checkSyntax(candidate, declaration, signal) {
      const sources = checkedSources(parser, candidate, declaration);
      const command = [
        ...compile(tools, archives.candidate, 'candidate', 'candidate.o'),
        ...Object.keys(sources),
      ];
      const result = await builder.run({ files: sources, commands: [command], outputs: [] }, signal);
      return 'status' in result ? faultOf(result, firstComplaint(result), candidateFile) : null;
    },
    counting: judge => ({ ...judge, argv: [...judge.argv, 'counts'] }),
    headerOf: async (candidate, entryPoint) => candidateHeader(parser, candidate, entryPoint),
    explainEnd: (stderr, exit) => explainGoEnd(stderr, signalOf(exit)),
    close: () => closeInOrder(builder, programs),
  };
}

const MAX_THREADS = 2;
/** The compiler collects garbage from this size on. */
const COLLECT_MIB = 1024;

function compile(tools: GoTools, config: string, path: string, output: string): string[] {
  const flags = ['-complete', '-dwarf=false', '-importcfg', config, `-c=${MAX_THREADS}`, '-pack'];
  return [tools.compile, '-p', path, ...flags, '-o', output];
}

const aboutSchema = z.object({ GOROOT: z.string(), GOTOOLDIR: z.string(), GOVERSION: z.string() });

/** Throws TOOLCHAIN_MISSING, TOOLCHAIN_TOO_OLD or TOOLCHAIN_FAILED. */
export async function findGo(): Promise<GoTools> {
  const go = requireTool(toolRequirements.go);
  const about = await describe(go);
  const version = /\d[\w.]*/.exec(about.GOVERSION)?.[0] ?? about.GOVERSION;
  requireVersion(go, version, toolRequirements.go.minimum);
  const tool = (name: string): string => realPath(join(about.GOTOOLDIR, name));
  return { go, compile: tool('compile'), link: tool('link'), version };
}

async function describe(go: string): Promise<z.infer<typeof aboutSchema>> {
  try {
    const { stdout } = await execa(go, ['env', '-json', ...Object.keys(aboutSchema.shape)], {
      cwd: '/',
      env: toolEnvironment,
      timeout: 30_000,
    });
    return aboutSchema.parse(JSON.parse(stdout));
  } catch (cause) {
    throw toolchainFailed(go, 'go env does not answer', cause);
  }
}

/** The compiler's first error: `candidate.go:3:2: declared and not used: x`. */
function firstComplaint({ text }: FailedBuild): Complaint | null {
  const match = /^(?:.*\/)?(\w+\.go):(\d+)(?::\d+)?: (.*)$/m.exec(text);
  if (!match) return null;
  const [, file = '', line = '', message = ''] = match;
  return { file, line: Number(line), message: message.replace(/^syntax error: /, '') };
}

const undefinedName = /^(?:.*\/)?tests\.go:\d+(?::\d+)?: undefined: /m;

/** What the runtime writes before it ends a process: `panic: …` for a goroutine, or `fatal error: …`. */
function explainGoEnd(stderr: string, signal: NodeJS.Signals | null): CandidateEnd | null {
  const [, kind, message = ''] =
    /^(?:runtime: goroutine stack exceeds|(panic|fatal error): (.*)$)/m.exec(stderr) ?? [];
  const line = /candidate\.go:(\d+)/.exec(stderr)?.[1];
  const position = line === undefined ? {} : { line: Number(line) };
  if (/goroutine stack exceeds|stack overflow/.test(stderr))
    return { kind: 'raised', exception: { type: 'fatal error', message: 'stack overflow', ...position } };
  if (/out of memory|cannot allocate memory/.test(stderr)) return { kind: 'memory' };
  if (kind === undefined || signal === 'SIGKILL') return null;
  return { kind: 'raised', exception: { type: kind, message, ...position } };
}
