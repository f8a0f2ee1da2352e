/** Why the schema as a whole could not be looked at or brought up to date; the start ends with its message and remedy. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';

  constructor(
    readonly code: 'SCHEMA_LOCKED' | 'SCHEMA_NOT_PERMITTED',
    message: string,
    readonly remedy: string,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}
