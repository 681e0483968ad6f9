import { z } from 'zod';
import { rowSchema } from '../../../dataset/columns.ts';
import { attemptSchema, searchSchema, selectionSchema, stepSchema } from '../../../lib/core/attempt.ts';
import { recordSchema, robustSchema } from '../../../lib/core/record.ts';
import { assertionCountsSchema, verdictSchema } from '../../../lib/core/verdict.ts';
import { table } from './table.ts';

/** Objects that have a table of their own. */
const named: readonly (readonly [string, z.ZodObject])[] = [
  ['Verdict', verdictSchema],
  ['Attempt', attemptSchema],
  ['Selection', selectionSchema],
  ['Counts', assertionCountsSchema],
  ['Step', stepSchema],
  ['Search', searchSchema],
  ['Robust', robustSchema],
];

export function columnTable(): string {
  const rows = Object.entries(rowSchema.shape).map(([name, schema]) => [
    `\`${name}\``,
    schema.safeParse(undefined).success ? 'no' : 'yes',
    descriptionOf(schema),
  ]);
  return `${table(['column', 'required', 'content'], rows)}\n`;
}

export function recordTables(): string {
  const own = named.map(([name, schema]) => `### ${name}\n\n${fieldTable(schema)}\n`);
  return [`${fieldTable(recordSchema)}\n`, ...own].join('\n');
}

function fieldTable(schema: z.ZodObject): string {
  return table(['field', 'type', 'content'], fieldRows(schema, ''));
}

/** The fields, with those of nested objects below them: `timings_sec.proposal`. */
function fieldRows(schema: z.ZodObject, prefix: string): string[][] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const { inner, suffix } = unwrapped(field as z.ZodType);
    const path = `${prefix}${name}`;
    const row = [`\`${path}\``, typeOf(field as z.ZodType), descriptionOf(field as z.ZodType)];
    const isNested = inner instanceof z.ZodObject && !named.some(([, one]) => isSame(one, inner));
    return isNested ? [row, ...fieldRows(inner, `${path}${suffix}.`)] : [row];
  });
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return typeOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType)} or null`;
  if (schema instanceof z.ZodArray) return `list of ${typeOf(schema.element as z.ZodType)}`;
  if (schema instanceof z.ZodRecord) return `${typeOf(schema.valueType as z.ZodType)} by name`;
  if (schema instanceof z.ZodEnum) return schema.options.map(option => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodLiteral) return `\`${schema.value}\``;
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' ? 'integer' : 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodString) return 'string';
  const [name] = named.find(([, one]) => isSame(one, schema)) ?? [];
  return name ? `[${name}](#${name.toLowerCase()})` : 'object';
}

function unwrapped(schema: z.ZodType): { readonly inner: z.ZodType; readonly suffix: string } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodArray) return { ...unwrapped(schema.element as z.ZodType), suffix: '[]' };
  return { inner: schema, suffix: '' };
}

/** A description makes a copy of a schema, with the same fields. */
function isSame(one: z.ZodType, other: z.ZodType): boolean {
  return one instanceof z.ZodObject && other instanceof z.ZodObject && one.shape === other.shape;
}

function descriptionOf(schema: z.ZodType): string {
  const own = schema.description;
  if (own !== undefined) return own;
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper ? descriptionOf(schema.unwrap() as z.ZodType) : '';
}
