import type { ValidateFunction } from 'ajv';

/** Finds what validates the JSON answers of an operation; undefined for one that the document does not have. */
export type FindValidator = (method: string, template: string, status: number) => ValidateFunction | undefined;

/** Validators of an OpenAPI document, which also refuse members that it does not name. */
export async function compileValidators(document: unknown): Promise<FindValidator> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { default: formats } = await import('ajv-formats');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(closed(document) as object, 'platform');
  return (method, template, status) => {
    const operation = `#/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;
    return ajv.getSchema(`platform${operation}/responses/${status}/content/application~1json/schema`);
  };
}

/** A copy of a document whose objects have no members besides those that they name. */
function closed(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value)) return value;
    return 'additionalProperties' in value ? value : { ...value, additionalProperties: false };
  }) as unknown;
}

/** Problems of a value. */
export function problemsOf(validate: ValidateFunction | undefined, json: unknown): readonly string[] {
  if (validate === undefined || validate(json)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}
