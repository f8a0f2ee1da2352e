import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Faults for which tools of others refuse an OpenAPI document: arrays without `items`, required properties that are not described, defaults and
 * examples that do not conform, and operations without an answer that is a success or a redirect.
 */
export function faultsOf(document: Json): readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const validatorOf = (pointer: string): ValidateFunction => ajv.compile({ $ref: `document#${pointer}` });
  return [...faultsOfPart(document, '', validatorOf), ...unanswered(document)];
}

function faultsOfPart(
  part: unknown,
  pointer: string,
  validatorOf: (pointer: string) => ValidateFunction,
): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  // The members of `properties` have any names.
  const own =
    pointer.endsWith('/properties') || Array.isArray(part) ? [] : faultsOfObject(part as Json, pointer, validatorOf);
  const inner = Object.entries(part).flatMap(([key, member]) =>
    faultsOfPart(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, validatorOf),
  );
  return [...own, ...inner];
}

function faultsOfObject(
  part: Json,
  pointer: string,
  validatorOf: (pointer: string) => ValidateFunction,
): readonly string[] {
  const { type, required, properties = {}, examples, schema } = part;
  const isSchema = type !== undefined;
  const conforms = (value: unknown, of: string): boolean => validatorOf(of)(value) as boolean;
  const isSubset = (names: readonly unknown[]): boolean =>
    names.every((name) => Object.hasOwn(properties as Json, String(name)));
  const faults = {
    'has no items': isSchema && [type].flat().includes('array') && !('items' in part),
    'requires what it does not describe': isSchema && Array.isArray(required) && !isSubset(required),
    'has a default that does not conform': isSchema && 'default' in part && !conforms(part['default'], pointer),
    'has an example that does not conform':
      (isSchema && Array.isArray(examples) && !examples.every((one) => conforms(one, pointer))) ||
      (schema !== undefined && 'example' in part && !conforms(part['example'], `${pointer}/schema`)),
  };
  return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [`${pointer} ${fault}`] : []));
}

function unanswered({ paths }: Json): readonly string[] {
  return Object.entries(paths as Readonly<Record<string, Json>>).flatMap(([path, { parameters: _shared, ...item }]) =>
    Object.entries(item as Readonly<Record<string, { readonly responses: object }>>)
      .filter(([, { responses }]) => !Object.keys(responses).some((status) => /^[23]/.test(status)))
      .map(([method]) => `${method.toUpperCase()} ${path} has no answer that is a success`),
  );
}
