import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from '../../../../test/support/make-certificates';

export interface PythonIndex {
  /** Address of the index, for example `https://127.0.0.1:4433/simple`. */
  readonly url: string;
  readonly port: number;
  /** Requests in order: paths, and the header `Authorization` where there was one. */
  readonly requests: { readonly path: string; readonly authorization?: string }[];
  /** Answers a path itself. */
  answer(path: string, listener: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** A Python index with pages in HTML, whose links are relative, unless `json` is set. */
export async function startPythonIndex(
  { cert, key }: Certificates,
  files: readonly { readonly fileName: string; readonly content: Buffer }[],
  { json = false }: { readonly json?: boolean } = {},
): Promise<PythonIndex> {
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const requests: PythonIndex['requests'] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const path = request.url ?? '';
    const { authorization } = request.headers;
    requests.push({ path, ...(authorization === undefined ? {} : { authorization }) });
    const answer = answers.get(path);
    if (answer !== undefined) return answer(request, response);
    response.statusCode = 404;
    response.end();
    return undefined;
  });
  const type = json ? 'application/vnd.pypi.simple.v1+json' : 'text/html; charset=utf-8';
  for (const { fileName, content } of files) {
    const project = (fileName.split('-')[0] ?? '').replaceAll('_', '-');
    const page = json
      ? JSON.stringify({ files: [{ filename: fileName, url: `../../files/${fileName}`, hashes: {} }] })
      : `<!DOCTYPE html><html><body><a href="../../files/${fileName}">${fileName}</a></body></html>`;
    answers.set(`/simple/${project}/`, (_request, response) => response.setHeader('content-type', type).end(page));
    answers.set(`/files/${fileName}`, (_request, response) => response.end(content));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/simple`,
    port,
    requests,
    answer: (path, listener) => void answers.set(path, listener),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
