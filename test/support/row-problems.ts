import { request } from 'node:http';
import { compileValidators, problemsOf, type FindValidator } from './schema-validators';

/** An answer, and how it was asked for. */
export interface AskedAnswer {
  /** Of the platform. */
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly json: unknown;
}

/** Path of routes that answer with rows of one type. */
const rowPath = /^\/api\/cms\/items\/[a-z][a-z0-9_]*(?:\/(?:list|\d+))?$/;

/** Headers that say nothing of the caller. */
const ofThisRequest = /^(?:content-|transfer-|if-|accept|expect|connection|range|te$)/i;

const documents = new Map<string, Promise<FindValidator | undefined>>();

/**
 * Problems of rows by the document that the platform gives to the same caller. It is read again for rows that do not conform, as types
 * and rights change.
 */
export async function rowProblems(answer: AskedAnswer): Promise<readonly string[]> {
  const { address, headers } = answer;
  if (answer.method === 'HEAD' || !rowPath.test(answer.path)) return [];
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofThisRequest.test(name)));
  const key = JSON.stringify([address, own]);
  const known = documents.get(key);
  if (known !== undefined && problemsBy(await known, answer).length === 0) return [];
  const read = readDocument(address, own);
  documents.set(key, read);
  return problemsBy(await read, answer);
}

function problemsBy(find: FindValidator | undefined, { method, path, status, json }: AskedAnswer): readonly string[] {
  if (find === undefined) return [];
  const validate = find(method, path.replace(/\d+$/, '{id}'), status);
  return validate === undefined ? ['is of no operation in the document of the platform'] : problemsOf(validate, json);
}

/** @returns undefined where the caller gets none */
async function readDocument(address: string, headers: object): Promise<FindValidator | undefined> {
  const text = await new Promise<string | undefined>((resolve) => {
    const asked = request(
      new URL('/api/openapi.json', address),
      { agent: false, headers: { ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () =>
          resolve(response.statusCode === 200 ? Buffer.concat(chunks).toString('utf8') : undefined),
        );
      },
    );
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
  return text === undefined ? undefined : compileValidators(withNulls(JSON.parse(text) as DocumentOfTypes));
}

interface DocumentOfTypes {
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

interface ObjectSchema {
  readonly properties?: Record<string, ObjectSchema>;
}

/**
 * Clients of 1.1 have types by which a value that is required is never null. It is null on an item that is older than the rule; so is the
 * label of an item that the caller does not see.
 */
function withNulls(document: DocumentOfTypes): object {
  const orNull = (properties: Record<string, ObjectSchema> = {}): void => {
    for (const [name, schema] of Object.entries(properties)) {
      properties[name] = { anyOf: [schema, { type: 'null' }] } as ObjectSchema;
    }
  };
  const { schemas } = document.components;
  for (const { properties } of Object.values(schemas)) orNull(properties?.['values']?.properties);
  orNull(schemas['ItemReference']?.properties);
  return document;
}
