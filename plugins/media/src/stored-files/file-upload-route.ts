import { route, type Route } from '@gantry/plugin-api';
import { bodyMissing } from '../body-missing';
import { described } from '../images/described';
import type { RecentUploads } from '../uploads/recent-uploads';
import { uploadPermission } from '../uploads/upload-permission';
import { filePrefix } from './file-address';
import type { FileDescription, FileStore } from './file-store';

const nameQuery = described<{ readonly name?: string }>({
  type: 'object',
  required: ['name'],
  properties: {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 1000,
      description: 'Name of the file, for example `report.pdf`.',
      examples: ['report.txt'],
    },
  },
});

const storedFile = described<FileDescription>(
  {
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
  'StoredFile',
);

/** Takes the bytes of one file, and answers with the address that a field then holds. */
export function fileUploadRoute(files: FileStore, uploads: RecentUploads, maxBytes: number): Route {
  return route({
    method: 'POST',
    path: '/media/files',
    operationId: 'storeFile',
    summary: 'Stores a file; its type is that of the ending of its name',
    description:
      'A type that the settings do not allow, or content of another type, is a 415; an empty file or one without a name is a 400. Until an item has the file, only who stored it sees it.',
    access: { permission: uploadPermission },
    errors: ['UNAVAILABLE'],
    // Forms of other sites cannot send this type.
    upload: { mediaTypes: ['application/octet-stream'], limit: maxBytes },
    query: nameQuery,
    answer: storedFile,
    status: { 201: 'The file is stored', 200: 'The same bytes were already stored' },
    async handler({ upload, caller, query: { name = '' } }) {
      if (upload === undefined) throw bodyMissing('a file');
      const { file, created } = await files.store(upload.bytes, name);
      uploads.add(caller, file.url);
      const headers = { Location: encodeURI(file.url).replaceAll('%25', '%') };
      return { status: created ? 201 : 200, data: file, headers };
    },
  });
}
