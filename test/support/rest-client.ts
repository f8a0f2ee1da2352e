import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { ErrorDetail } from '@gantry/contracts';
import { assertAnswer } from './assert-answer';

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, for what JSON.parse would round or reorder. */
  readonly text: string;
  /** The parsed body; undefined when it is no JSON. */
  // eslint-disable-next-line typescript/no-explicit-any -- tests read answers of unknown shape
  readonly json: any;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as it is. */
  readonly body?: string | Buffer;
}

/** Milliseconds an answer may take. */
const answerTimeoutMs = 110_000;

/** Sends one request on a separate connection, with exactly the path and headers that are given. @throws Error for an answer that its schema does not have */
export function send(address: string, path: string, sending: Sending = {}): Promise<Answer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: sending.method ?? 'GET', agent: false, headers: headersOf(sending) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers } = response;
          const json = parsed(text);
          const answer = { status, headers, text, json };
          const isWhole = headers['content-type']?.startsWith('application/json') === true || status === 204;
          const asked = { address, path, method: sending.method ?? 'GET', headers: sending.headers ?? {} };
          if (isWhole) assertAnswer({ ...asked, status, json }).then(() => resolve(answer), reject);
          else resolve(answer);
        });
      },
    );
    request.setTimeout(answerTimeoutMs, () =>
      request.destroy(new Error(`No answer to ${path.slice(0, 200)} in time.`)),
    );
    request.on('error', reject);
    request.end(sending.body);
  });
}

/** Sends a value as JSON; text is taken as JSON already, so that tests can send what no value stands for. */
export function sendJson(
  address: string,
  method: string,
  path: string,
  body: unknown,
  headers: Sending['headers'] = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return send(address, path, { method, body: text, headers: { 'content-type': 'application/json', ...headers } });
}

/** The content endpoints of one platform. */
export interface Items {
  get(path: string, headers?: Sending['headers']): Promise<Answer>;
  list(type: string, query?: string, criteria?: unknown): Promise<Answer>;
  search(type: string, criteria: unknown, query?: string): Promise<Answer>;
  create(type: string, payload: unknown): Promise<Answer>;
  /** Creates and gives the id. @throws when the answer is not 201 */
  created(type: string, payload: unknown): Promise<number>;
  patch(type: string, id: number | string, payload: unknown, headers?: Sending['headers']): Promise<Answer>;
  put(type: string, id: number | string, payload: unknown, headers?: Sending['headers']): Promise<Answer>;
  remove(type: string, id: number | string, headers?: Sending['headers']): Promise<Answer>;
  /** `data` of the item. @throws when it is not 200 */
  row(type: string, id: number): Promise<Answer['json']>;
}

const itemsPath = '/api/cms/items';

/** @param host asked for late, as it is only known while tests run */
export function itemsOf(host: { readonly address: string }): Items {
  const write = (method: string, path: string, body: unknown, headers?: Sending['headers']): Promise<Answer> =>
    sendJson(host.address, method, `${itemsPath}/${path}`, body, headers);
  const get = (path: string, headers: Sending['headers'] = {}): Promise<Answer> =>
    send(host.address, `${itemsPath}/${path}`, { headers });
  return {
    get,
    list: (type, query = '', criteria = []) => write('POST', `${type}/list${query}`, criteria),
    search: (type, criteria, query = '') => write('POST', `${type}/search${query}`, criteria),
    create: (type, payload) => write('POST', type, payload),
    created: async (type, payload) => expectStatus(await write('POST', type, payload), 201).json.data.id as number,
    patch: (type, id, payload, headers) => write('PATCH', `${type}/${id}`, payload, headers),
    put: (type, id, payload, headers) => write('PUT', `${type}/${id}`, payload, headers),
    remove: (type, id, headers = {}) => send(host.address, `${itemsPath}/${type}/${id}`, { method: 'DELETE', headers }),
    row: async (type, id) => expectStatus(await get(`${type}/${id}`), 200).json.data,
  };
}

/** @throws with the body when the status is another */
function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text.slice(0, 2000)}`);
  }
  return answer;
}

/** `path: code` of every detail, in the order sent. */
export function problemsOf(answer: Answer): readonly string[] {
  const details = (answer.json?.error?.details ?? []) as readonly ErrorDetail[];
  return details.map((detail) => `${detail.path}: ${detail.code}`);
}

function headersOf({ headers = {}, body }: Sending): Record<string, string | string[]> {
  const length =
    body === undefined || headers['transfer-encoding'] !== undefined
      ? {}
      : { 'content-length': String(Buffer.byteLength(body)) };
  return { ...length, ...(headers as Record<string, string | string[]>) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
