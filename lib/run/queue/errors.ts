import { HefixError, reason } from '../../core/errors.ts';

export function queuePackageMissing(packages: string, cause: unknown): HefixError {
  return new HefixError(
    'QUEUE_PACKAGE_MISSING',
    'A queue needs packages that are not installed.',
    `Run npm install ${packages} in the folder where hefix is installed.`,
    cause,
  );
}

export function boardPackageMissing(cause: unknown): HefixError {
  return new HefixError(
    'BOARD_PACKAGE_MISSING',
    'Bull Board needs packages that are not installed.',
    'Run npm install @bull-board/api@9 @bull-board/hono@9 hono@4 @hono/node-server@2 in the folder where hefix is installed.',
    cause,
  );
}

/** `address`: without user and password. */
export function queueUnreachable(address: string, cause: unknown): HefixError {
  return new HefixError(
    'QUEUE_UNREACHABLE',
    `The queue at ${address} cannot be reached: ${reason(cause)}.`,
    'Check the address, and that the server runs and accepts connections from this machine.',
    cause,
  );
}

export function queueRefused(address: string, cause: unknown): HefixError {
  return new HefixError(
    'QUEUE_REFUSED',
    `The queue at ${address} does not accept the user or the password.`,
    'Give both in the address, redis://user:password@host, or the password in HEFIX_QUEUE_PASSWORD.',
    cause,
  );
}

export function queueTooOld(address: string, version: string, needed: string): HefixError {
  return new HefixError(
    'QUEUE_TOO_OLD',
    `The server at ${address} is ${version}, and a queue needs ${needed} or newer.`,
    'Update the server, or use another.',
  );
}

/** `run`: the other run in words. */
export function queueOccupied(queue: string, run: string): HefixError {
  return new HefixError(
    'QUEUE_OCCUPIED',
    `The queue ${queue} holds another run: ${run}.`,
    'Wait until that run has ended, choose another --queue-name, or give that run up with hefix queue drain; its records are kept.',
  );
}

export function shardsNotShared(folder: string): HefixError {
  return new HefixError(
    'SHARDS_NOT_SHARED',
    `${folder} on this machine is not the folder that the run collects its records in.`,
    'Mount the same folder on all machines and name it with --shards, use --shards s3://bucket/prefix, or let workers upload: hefix run --collect.',
  );
}

export function shardsTaken(folder: string): HefixError {
  return new HefixError(
    'SHARDS_TAKEN',
    `${folder} holds the records of another run.`,
    'Choose another folder with --shards.',
  );
}

export function shardsPackageMissing(cause: unknown): HefixError {
  return new HefixError(
    'SHARDS_PACKAGE_MISSING',
    'Storage at s3:// needs packages that are not installed.',
    'Run npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 in the folder where hefix is installed.',
    cause,
  );
}

/** `location`: a bucket, with a prefix. `message`: the client's error, which itself holds the whole request. */
export function shardsUnusable(location: string, message: string): HefixError {
  return new HefixError(
    'SHARDS_UNUSABLE',
    `${location} cannot be used: ${message.replace(/\.$/, '')}.`,
    'Check the bucket, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for a server other than Amazon S3, AWS_ENDPOINT_URL.',
  );
}

export function collectUnusable(address: string, cause: unknown): HefixError {
  return new HefixError(
    'COLLECT_UNUSABLE',
    `Records cannot be collected at ${address}: ${reason(cause)}.`,
    'Choose a free port, and for https give --collect-cert and --collect-key.',
    cause,
  );
}

export function uploadRefused(address: string, message: string): HefixError {
  return new HefixError(
    'UPLOAD_REFUSED',
    `The coordinator at ${address} refuses the records: ${message}`,
    'Set HEFIX_COLLECT_TOKEN to the same on the coordinator and on all workers.',
  );
}

export function uploadUntrusted(address: string, cause: unknown): HefixError {
  return new HefixError(
    'UPLOAD_UNTRUSTED',
    `The certificate of the coordinator at ${address} is not trusted: ${reason(cause)}.`,
    'Set NODE_EXTRA_CA_CERTS to the file of the certificate, or of its authority, on each worker.',
    cause,
  );
}

export function collectTokenMissing(): HefixError {
  return new HefixError(
    'COLLECT_TOKEN_MISSING',
    'Records are collected with --collect, and HEFIX_COLLECT_TOKEN is not set.',
    'Set it to the same long random text on the coordinator and on all workers: openssl rand -hex 32.',
  );
}

/** `option`: the one by which a worker names the place. */
export function recordsNotNamed(place: string, option: string): HefixError {
  return new HefixError(
    'SHARDS_NOT_NAMED',
    `The run collects its records at ${place}, which a worker does not take from the queue.`,
    `If this is where your records belong, start the worker with ${option} ${place}.`,
  );
}

/** What a worker has in place of what the run was planned with. */
export function workerDiffers(subject: string, run: string, actual: string, name: string): HefixError {
  return new HefixError(
    'WORKER_DIFFERS',
    `The run has ${subject} ${run}, and this worker has ${actual}.`,
    `Give the worker the same, or accept the difference with --allow ${name}.`,
  );
}

/** Two records of one unit that must be the same, but for times; `a` and `b` say what each has, and where. */
export function recordsDisagree(name: string, field: string, a: string, b: string): HefixError {
  return new HefixError(
    'RECORDS_DISAGREE',
    `${name} was recorded twice with another ${field}: ${a}; ${b}.`,
    'Both are kept in their shards. Find out which worker differs, or why the result is not deterministic.',
  );
}

export function costReached(limit: number, path: string): HefixError {
  return new HefixError(
    'COST_REACHED',
    `Stopped because the run has cost ${limit} or more.`,
    `To continue, run the same command with a higher --max-cost, --out ${path} and --resume.`,
  );
}
