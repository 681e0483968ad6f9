/** What the machines' places for actors have in common. */

/** Stands where an actor is to be provided: a machine that is started without them breaks and says so. */
export async function notProvided(): Promise<never> {
  throw new Error('This machine was started without its actors; give them with machine.provide({ actors }).');
}

/** An error as plain data, which a stored snapshot can hold. */
export interface Cause {
  readonly code: string;
  readonly message: string;
}

export function causeOf(error: unknown): Cause {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === 'string' ? code : 'UNEXPECTED',
    message: typeof message === 'string' ? message : String(error),
  };
}
