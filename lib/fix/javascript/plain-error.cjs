'use strict';

const { inspect } = require('node:util');

/** What a report says of a thrown value, as plain data: assertions compare values, of which it shows the source. */
function plainError(thrown) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack } = error;
  const values =
    'expected' in error && 'actual' in error
      ? { expected: sourceOf(error.expected), actual: sourceOf(error.actual) }
      : {};
  return { name, message, stack, ...values };
}

/** A value as it would be written in a program, on one line. */
function sourceOf(value) {
  return inspect(value, { depth: 4, breakLength: Number.POSITIVE_INFINITY });
}

module.exports = { plainError, sourceOf };
