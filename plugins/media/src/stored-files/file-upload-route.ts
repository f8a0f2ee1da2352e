import { GantryError, type RouteHandler, type RouteOptions } from '@gantry/plugin-api';
import type { RecentUploads } from '../recent-uploads';
import { uploadPermission } from '../upload-permission';
import { filePrefix } from './file-address';
import type { FileStore } from './file-store';

/** Takes the bytes of one file, and answers with the address that a field then holds. */
export function createFileUploadHandler(files: FileStore, uploads: RecentUploads): RouteHandler {
  return async ({ upload, caller, query }) => {
    if (upload === undefined) throw new GantryError('BAD_REQUEST', 'The body is missing. Send the bytes of a file.');
    const { name } = query as Readonly<Record<string, string | undefined>>;
    const { file, created } = await files.store(upload.bytes, name ?? '');
    uploads.add(caller, file.url);
    return {
      status: created ? 201 : 200,
      data: file,
      headers: { Location: encodeURI(file.url).replaceAll('%25', '%') },
    };
  };
}

const stored = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['url', 'name', 'mediaType', 'bytes'],
      properties: {
        url: {
          type: 'string',
          description: 'The value for a field of the type media.File.',
          pattern: `^${filePrefix}[0-9a-f]{64}/[1-9][0-9]*/[^/]+$`,
        },
        name: { type: 'string', description: 'The sent name without a path and invisible characters.' },
        mediaType: { type: 'string', description: 'By the ending of the name.' },
        bytes: { type: 'integer', minimum: 1 },
      },
    },
  },
} as const;

/** How the host reads the body of an upload, and its OpenAPI description. */
export function fileUploadOptions(maxBytes: number): RouteOptions {
  const answer = (description: string) => ({ description, content: { 'application/json': { schema: stored } } });
  const name = { name: 'name', in: 'query', required: true, schema: { type: 'string', minLength: 1, maxLength: 1000 } };
  return {
    access: { permission: uploadPermission },
    query: ['name'],
    // Forms of other sites cannot send this type.
    body: { mediaTypes: ['application/octet-stream'], limit: maxBytes },
    summary: 'Stores a file; its type is that of the ending of its name',
    openapi: {
      parameters: [{ ...name, description: 'Name of the file, for example `report.pdf`.', example: 'report.txt' }],
      responses: { 201: answer('The file is stored'), 200: answer('The same bytes were already stored') },
    },
  };
}
