import { z } from 'zod';

/** Schemas of fields, each with its description, which docs/formats.md and the tools' schemas show. */

export const text = (about: string) => z.string().describe(about);
export const flag = (about: string) => z.boolean().describe(about);
export const whole = (about: string) => z.number().int().describe(about);
/** A whole number from 0 on. */
export const count = (about: string) => z.number().int().nonnegative().describe(about);
/** A whole number from 1 on. */
export const positive = (about: string) => z.number().int().positive().describe(about);
/** A number from 0 on, such as seconds. */
export const amount = (about: string) => z.number().nonnegative().describe(about);
