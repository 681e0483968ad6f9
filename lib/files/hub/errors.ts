import { HefixError, reason } from '../../core/errors.ts';

export function hubIdInvalid(id: string, kind: 'model' | 'dataset'): HefixError {
  const example = kind === 'model' ? 'Qwen/Qwen2.5-Coder-0.5B-Instruct' : 'bigcode/humanevalpack';
  return new HefixError(
    'HUB_ID_INVALID',
    `${JSON.stringify(id)} is not the id of a ${kind} on the hub.`,
    `An id looks like ${example}.`,
  );
}

export function hubEndpointInvalid(endpoint: string): HefixError {
  return new HefixError(
    'HUB_ENDPOINT_INVALID',
    `HF_ENDPOINT is ${JSON.stringify(endpoint)}, which is not the address of a hub.`,
    'Set it to an address that starts with http:// or https://, or unset it.',
  );
}

export function hubUnauthorized(id: string, hasToken: boolean): HefixError {
  return new HefixError(
    'HUB_UNAUTHORIZED',
    `The hub ${hasToken ? `does not show ${id} to this token` : `shows ${id} only with a token`}: it is private or gated, or does not exist.`,
    'Check the id, and set HF_TOKEN to a token that may read it.',
  );
}

/** `page`: the page where access can be requested. */
export function hubForbidden(id: string, page: string): HefixError {
  return new HefixError(
    'HUB_FORBIDDEN',
    `Access to ${id} has not been granted to this token.`,
    `Request access at ${page}, and check that the token may read gated repositories.`,
  );
}

export function hubNotFound(id: string, revision: string): HefixError {
  return new HefixError(
    'HUB_NOT_FOUND',
    `The hub has no ${id} at revision ${revision}.`,
    'Check the id and the revision.',
  );
}

export function hubRateLimited(endpoint: string, seconds: number | null): HefixError {
  return new HefixError(
    'HUB_RATE_LIMITED',
    `${endpoint} limits the rate of requests.`,
    `Try again ${seconds === null ? 'later' : `in ${Math.ceil(seconds)} seconds`}; with a token in HF_TOKEN the limits are higher.`,
  );
}

export function hubFailed(endpoint: string, problem: string): HefixError {
  return new HefixError('HUB_FAILED', `${endpoint} ${problem}.`, 'Try again later.');
}

export function hubUnreachable(endpoint: string, cause: unknown): HefixError {
  return new HefixError(
    'HUB_UNREACHABLE',
    `${endpoint} cannot be reached: ${reason(cause)}.`,
    'Check the network and HF_ENDPOINT. What was downloaded is kept; the same command continues from there.',
    cause,
  );
}

export function hubOffline(id: string, kind: 'model' | 'dataset'): HefixError {
  return new HefixError(
    'HUB_OFFLINE',
    `${id} is not in the cache, and HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE forbids downloads.`,
    `Unset it, or give the path of a ${kind === 'model' ? 'model folder' : 'file'}.`,
  );
}

export function hubFileCorrupt(id: string, file: string): HefixError {
  return new HefixError(
    'HUB_FILE_CORRUPT',
    `${file} of ${id} was downloaded twice with a hash that differs from the hub's.`,
    'Try again; a proxy may be changing files.',
  );
}

export function hubDiskFull(folder: string, neededBytes: number): HefixError {
  const mebibytes = Math.ceil(neededBytes / 2 ** 20);
  return new HefixError(
    'HUB_DISK_FULL',
    `${folder} has no room for another ${mebibytes} MiB.`,
    'Free some space, or set HF_HOME to a folder on another disk; what was downloaded is kept.',
  );
}

export function hubCacheNotWritable(folder: string, cause: unknown): HefixError {
  return new HefixError(
    'HUB_CACHE_NOT_WRITABLE',
    `The cache ${folder} cannot be written: ${reason(cause)}.`,
    'Set HF_HOME to another folder.',
    cause,
  );
}
