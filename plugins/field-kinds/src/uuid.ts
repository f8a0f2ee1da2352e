import { accepted, defineFieldKind, orderedOperators, refused, type ParsedValue } from '@gantry/plugin-api';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID of any version in lower case, as PostgreSQL shows it. */
export const uuidKind = defineFieldKind({
  name: 'Uuid',
  column: 'UUID',
  unordered: false,
  index: 'order',
  isEmptyTextNone: true,
  operators: orderedOperators,
  parse: (value) => readUuid(value),
  convert: (text) => readUuid(text.trim().toLowerCase()),
  jsonSchema: () => ({ type: 'string', format: 'uuid', pattern: pattern.source }),
  describe: () => ['A UUID in lower case.'],
  example: ({ required }) => (required ? '018f4a3e-7c11-7b5e-9d3a-5f2c8e1b4a60' : undefined),
});

function readUuid(value: unknown): ParsedValue<string> {
  return typeof value === 'string' && pattern.test(value)
    ? accepted(value)
    : refused('PATTERN', 'must be a UUID in lower case, such as 018f4a3e-7c11-7b5e-9d3a-5f2c8e1b4a60');
}
