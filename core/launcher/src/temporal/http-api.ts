import { request } from 'node:http';

/** Where the HTTP API of a server is, and the only name by which it answers. */
export interface HttpApi {
  readonly port: number;
  /** The `Host` of requests: a random name, so that no page in a browser can reach the API. */
  readonly host: string;
}

export interface HttpApiAnswer {
  readonly status: number;
  readonly body: string;
}

const requestTimeoutMs = 2_000;

/**
 * Asks the API about a namespace. `fetch` does not let a program choose the `Host`.
 * @param path below the namespace, such as `/update`, or nothing
 * @throws the error of the system, or of an abort
 */
export function callNamespace(
  { port, host }: HttpApi,
  namespace: string,
  { path = '', body, stopped }: { readonly path?: string; readonly body?: object; readonly stopped?: AbortSignal } = {},
): Promise<HttpApiAnswer> {
  const limit = AbortSignal.timeout(requestTimeoutMs);
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      agent: false,
      signal: stopped === undefined ? limit : AbortSignal.any([limit, stopped]),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
