import type { IncomingMessage } from 'node:http';

/** Network address of the client: that of the connection, or the one that a trusted proxy names. Express finds it out. */
export function clientAddress(request: IncomingMessage & { readonly ip?: string | undefined }): string {
  return request.ip ?? '';
}
