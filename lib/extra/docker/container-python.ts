import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { packageFile } from '../../files/package.ts';
import type { Limits } from '../../sandbox/isolation/jail.ts';
import { jailEnvironment, workFolder } from '../../sandbox/isolation/jail-text.ts';
import { type PythonPrograms, readPrograms } from '../../sandbox/python/host/python-programs.ts';
import type { Container } from './container.ts';
import { dockerImageUnfit } from './errors.ts';

/** The Python of an image, and how candidates are started and confined with it. */
export interface ContainerPython {
  readonly programs: PythonPrograms;
  readonly environment: Record<string, string>;
}

const aboutSchema = z.object({ bundle: z.string(), read: z.array(z.string()), machine: z.string() });

const architectures: Record<string, string> = { x86_64: 'x64', aarch64: 'arm64' };

/**
 * Asks the container's Python for its version, compiles the candidate's programs with it, and tests which
 * restrictions work there. Throws HefixErrors with the codes DOCKER_IMAGE_UNFIT, PYTHON_MISSING, PYTHON_TOO_OLD and
 * PYTHON_NOT_CPYTHON, or the container's fault.
 */
export async function prepareContainer(
  container: Container,
  image: string,
  limits: Limits,
  hashSeed: number,
): Promise<ContainerPython> {
  const source = (name: string) => readFileSync(packageFile(`lib/${name}`), 'utf8');
  const settings = JSON.stringify({
    bundle: Object.fromEntries(
      modules().map(path => [basename(path), source(`sandbox/python/programs/${path}`)]),
    ),
    describe: source('sandbox/isolation/describe.py'),
  });
  const printed = await output(
    container,
    image,
    ['-c', source('extra/docker/describe-container.py')],
    {},
    settings,
  );
  const about = aboutSchema.parse(JSON.parse(printed));
  const environment = (needs: readonly string[]) =>
    jailEnvironment({
      level: 'docker',
      plan: {
        argv: [],
        mounts: { paths: about.read, links: new Map(), openInside: true, openOutside: true },
        executable: [],
        needs,
        architecture: architectures[about.machine] ?? about.machine,
        seal: false,
        limits,
      },
      uid: null,
      work: workFolder,
    });
  // Without the filter, a candidate could tamper with what the next one is started from.
  const probe = ['-c', probeSource, source('sandbox/python/programs/jail/confine.py')];
  const held = (await output(container, image, probe, environment(['seccomp']), ''))
    .trim()
    .split(' ')
    .slice(1);
  const programs = readPrograms(about.bundle, `python3 of ${image}`, hashSeed);
  return { programs, environment: { ...environment(held), ...programs.environment } };
}

/** The sandbox's own programs; bundle.py takes the modules that each needs. */
function modules(): string[] {
  const folder = packageFile('lib/sandbox/python/programs');
  return readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(path => path.endsWith('.py'));
}

const probeSource = `import sys
scope = {"__name__": "confine"}
exec(sys.argv[1], scope)
print("held", *sorted(scope["confine"]()))`;

/** Runs one of our own programs in a container until it ends. */
async function output(
  container: Container,
  image: string,
  args: readonly string[],
  environment: Record<string, string>,
  input: string,
): Promise<string> {
  const pieces: Record<string, Buffer[]> = { o: [], e: [] };
  await new Promise<void>((resolve, reject) => {
    const forget = container.onGone(() => reject(container.fault()));
    container.start(['', '-I', '-S', '-B', ...args], environment, ({ kind, body }) => {
      pieces[kind]?.push(Buffer.from(body));
      if (kind !== 'x') return;
      forget();
      resolve();
    });
    container.write(Buffer.from(input));
    container.closeInput();
  });
  await container.reset();
  const printed = Buffer.concat(pieces.o ?? []).toString();
  if (printed !== '') return printed;
  const complaint = Buffer.concat(pieces.e ?? [])
    .toString()
    .trim()
    .split('\n')
    .at(-1);
  throw dockerImageUnfit(image, complaint || 'its Python ended without a word');
}
