import type { RequestSchema } from '@gantry/plugin-api';

/**
 * A schema that describes values in OpenAPI and takes them as they are: what stores them checks them.
 * @param name of the schema, for clients
 */
export function described<Value>(json: Readonly<Record<string, unknown>>, name?: string): RequestSchema<Value> {
  const input = () => (name === undefined ? { ...json } : { $ref: `#/$defs/${name}`, $defs: { [name]: json } });
  return {
    '~standard': {
      ...{ version: 1, vendor: 'media' },
      validate: (value) => ({ value: value as Value }),
      jsonSchema: { input },
    },
  };
}
