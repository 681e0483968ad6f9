import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where fixtures/docker/setup.sh puts its daemon. */
const ownSocket = '/var/lib/hefix-docker/docker.sock';

/**
 * The variables of a container engine with an image: those of the environment, or those of
 * fixtures/docker/setup.sh. A text if there is none.
 */
export function dockerEnvironment(): Record<string, string> | string {
  const own = { DOCKER_HOST: `unix://${ownSocket}`, SANDBOX_DOCKER_IMAGE: 'hefix-python' };
  const given = process.env.DOCKER_HOST !== undefined || process.env.SANDBOX_DOCKER_IMAGE !== undefined;
  const variables: Record<string, string> = !given && existsSync(ownSocket) ? own : {};
  const image = variables.SANDBOX_DOCKER_IMAGE ?? process.env.SANDBOX_DOCKER_IMAGE ?? 'python:3.13-slim';
  const asked = spawnSync('docker', ['image', 'inspect', image], { env: { ...process.env, ...variables } });
  if (asked.status === 0) return variables;
  const why = asked.error?.message ?? asked.stderr.toString().trim();
  return `no container engine with the image ${image} (fixtures/docker/setup.sh starts one): ${why}`;
}
