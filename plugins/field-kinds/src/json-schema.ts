import {
  accepted,
  exactNumberText,
  refusedWithin,
  type JsonSchema,
  type KindField,
  type KindSettings,
  type ParsedValue,
  type ValueProblem,
} from '@gantry/plugin-api';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { canonical } from './json-text';

/** `settings` of a field of the kind `field-kinds.Json`. */
export interface JsonSettings {
  /** A JSON Schema (draft 2020-12) that values must fit, without references to other documents. `format` is not checked. */
  readonly schema?: JsonSchema;
}

/** More would make an answer many times as long as the request. */
const maxProblems = 50;

/** Problems of the settings; sentences that continue "<field> …". */
export function settingsProblems({ schema, ...others }: KindSettings): readonly string[] {
  const problems = Object.keys(others).map((name) => `has the setting ${name}, which its field kind does not know`);
  if (schema === undefined) return problems;
  if (!isSchema(schema)) return [...problems, "needs settings: { schema: { type: 'object', … } }, a JSON Schema"];
  try {
    compile(schema);
    return problems;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [...problems, `has a schema that is no JSON Schema (draft 2020-12): ${message}`];
  }
}

/** The schema of a field, which {@link settingsProblems} finds nothing wrong with. */
export function schemaOf({ settings }: Pick<KindField, 'settings'>): JsonSchema | undefined {
  const schema = settings?.['schema'];
  return isSchema(schema) ? schema : undefined;
}

/** The schema for a document of others, in which `#` would be another document; undefined for one with references. */
export function embeddableSchema(field: Pick<KindField, 'settings'>): JsonSchema | undefined {
  const schema = schemaOf(field);
  if (schema === undefined || /"\$[A-Za-z]+":/.test(JSON.stringify(schema))) return undefined;
  return schema;
}

/** The value where it fits the schema of the field, or what does not, with its place. */
export function fitted(value: unknown, field: Pick<KindField, 'settings'>): ParsedValue<unknown> {
  const schema = schemaOf(field);
  if (schema === undefined) return accepted(value);
  const validate = validatorOf(schema);
  if (validate(plainValue(value))) return accepted(value);
  const [first, ...others] = (validate.errors ?? []).slice(0, maxProblems).map(problemOf);
  return refusedWithin([first ?? { path: '', code: 'PATTERN', message: 'must fit its schema' }, ...others]);
}

const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Compiled once for each schema, which never changes. */
function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const validate = compile(schema);
  validators.set(schema, validate);
  return validate;
}

function compile(schema: JsonSchema): ValidateFunction {
  // All problems, whose number the size of a value bounds.
  // Typing errors of the author are refused; what is only unusual is not.
  const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strictTypes: false, strictTuples: false });
  // That of the library compares each element with each other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have the same element twice' },
    validate: (isWanted: boolean, elements: readonly unknown[]) =>
      !isWanted || new Set(elements.map(canonical)).size === elements.length,
  });
  return ajv.compile(schema);
}

/** With numbers as JavaScript has them, which is near enough for limits. */
function plainValue(value: unknown): unknown {
  const digits = exactNumberText(value);
  if (digits !== undefined) return Number(digits);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member)]));
}

function problemOf({ instancePath, keyword, message = 'must fit its schema', params }: ErrorObject): ValueProblem {
  const place = pathOf(instancePath);
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params as ErrorParameters;
  if (missingProperty !== undefined) {
    return { path: place + memberPath(missingProperty), code: 'REQUIRED', message: 'is required' };
  }
  const other = additionalProperty ?? unevaluatedProperty;
  if (other !== undefined) {
    return { path: place + memberPath(other), code: 'UNKNOWN_FIELD', message: 'is not a member of the schema' };
  }
  if (allowedValues !== undefined) {
    const listed = allowedValues.map((one) => JSON.stringify(one)).join(', ');
    return { path: place, code: 'NOT_AN_OPTION', message: `must be one of ${shortened(listed)}` };
  }
  return { path: place, code: codes[keyword] ?? 'PATTERN', message: shortened(message) };
}

interface ErrorParameters {
  readonly missingProperty?: string;
  readonly additionalProperty?: string;
  readonly unevaluatedProperty?: string;
  readonly allowedValues?: readonly unknown[];
}

const codes: Readonly<Record<string, string>> = {
  type: 'WRONG_TYPE',
  const: 'NOT_AN_OPTION',
  minimum: 'OUT_OF_RANGE',
  maximum: 'OUT_OF_RANGE',
  exclusiveMinimum: 'OUT_OF_RANGE',
  exclusiveMaximum: 'OUT_OF_RANGE',
  maxLength: 'TOO_LONG',
  maxItems: 'TOO_MANY',
  maxProperties: 'TOO_MANY',
  minItems: 'TOO_FEW',
  minProperties: 'TOO_FEW',
};

/** `/a/2/b c` of a JSON pointer as `.a[2]["b c"]`. */
function pathOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => memberPath(part.replaceAll('~1', '/').replaceAll('~0', '~'))).join('');
}

function memberPath(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${shortened(name)}` : `[${JSON.stringify(shortened(name))}]`;
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
