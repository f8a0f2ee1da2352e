import type { ErrorDetail } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import { z } from 'zod';
import {
  type ItemTypeDescriptor,
  type Scope,
  parseCriteria,
  type BoundCriterion,
  type CriteriaOptions,
  searchTextCriterion,
} from '@gantry/core-content';
import type { HostDatabase } from '@gantry/core-database';
import { itemRoutesWith, typePath, type HostRoute, type TypeServices } from '@gantry/core-http';
import { exportItems } from '../export/export-items';
import { TransferError } from '../transfer-error';
import type { ExportOptions } from '../export/export-options';
import { importFile, openImport, type ImportServices } from './imports/import-file';
import {
  exportBody,
  exportedFiles,
  exportQuery,
  importedFiles,
  importQuery,
  importReport,
  jsonLines,
  mediaTypeOf,
} from './transfer-schemas';

export interface TransferServices extends ImportServices, TypeServices {
  readonly database: HostDatabase;
}

const route = itemRoutesWith<TransferServices>();

/** Import and export of items as files. */
export const transferRoutes: readonly HostRoute<TransferServices>[] = [
  route({
    method: 'POST',
    path: '/api/cms/imports/:type',
    operationId: 'import',
    summary: 'create or change items from a file, all of them or none',
    description: [
      'The rules are those of `gantry items import`: references are keys, such as a code, and all wrong lines are reported.',
      'With `Accept: application/x-ndjson` the response is a stream: lines of `progress` and `problem`, then the envelope.',
      'A client that closes the connection before the commit cancels the import.',
    ].join(' '),
    access: 'signed-in',
    ofType: 'written',
    action: 'import',
    errors: ['TYPE_NOT_FOUND', 'CONFLICT', 'TOO_MANY_REQUESTS'],
    params: typePath,
    query: importQuery,
    upload: { mediaTypes: Object.keys(importedFiles), limit: Number.MAX_SAFE_INTEGER },
    uploadLimit: ({ limit }) => limit,
    formats: importedFiles,
    answer: importReport,
    streams: { [jsonLines]: z.string() },
    async handler({ scope, type, query, upload, ...call }, services) {
      const job = { scope, type, wanted: query, file: upload };
      if (!call.accepts(jsonLines)) return { json: JSON.stringify(await importFile(job, services, call)) };
      return { mediaType: jsonLines, stream: openImport(job, services, call) };
    },
  }),
  route({
    method: 'POST',
    path: '/api/cms/exports/:type',
    operationId: 'export',
    summary: 'export the items that meet all criteria to a file that can be imported',
    description: [
      'The rules are those of `gantry items export`: references are keys, such as a code, and items come in the order in',
      'which they were created. The response is streamed; an interrupted response is not the complete file. A criterion that a list',
      'would skip is rejected.',
    ].join(' '),
    access: 'signed-in',
    ofType: 'every',
    action: 'export',
    // Each holds a connection of the streams of rows.
    limits: { share: 4, rate: false, name: 'exports' },
    errors: ['TYPE_NOT_FOUND'],
    keepsNumbers: true,
    refusal: 'BAD_REQUEST',
    params: typePath,
    query: exportQuery,
    body: exportBody,
    streams: exportedFiles,
    async handler({ scope, type: { descriptor: type }, query, body, signal, onStalled }, services) {
      const { q, strict, ...wanted } = query;
      const listed = appliedCriteria(type, body.criteria, { types: scope.policy.types, isStrict: strict });
      const options: ExportOptions = {
        ...{ ...wanted, type, signal, onStalled, where: [], database: services.database },
        criteria: q === undefined ? listed : [...listed, searchTextCriterion(type, q)],
        ...(body.items === undefined ? {} : { only: body.items }),
      };
      return {
        mediaType: mediaTypeOf[wanted.format],
        fileName: `${type.code}.${wanted.format}`,
        stream: pieces(scope, options),
      };
    },
  }),
];

/** @throws GantryError BAD_REQUEST for what cannot be exported */
async function* pieces(scope: Scope, options: ExportOptions): AsyncGenerator<string, void, undefined> {
  try {
    yield* exportItems(scope, options);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    const message = `Failed to export ${options.type.displayName}: ${error.message} ${error.requestRemedy}`;
    throw new GantryError('BAD_REQUEST', message, { cause: error });
  }
}

/**
 * A list names the criteria that it passed over; a file cannot hold that, and would have more than was asked for.
 * @throws GantryError BAD_REQUEST
 */
function appliedCriteria(type: ItemTypeDescriptor, body: unknown, options: CriteriaOptions): readonly BoundCriterion[] {
  const { criteria, skipped } = parseCriteria(type, body, options);
  if (skipped.length === 0) return criteria;
  const details = skipped.map(({ field, reason }): ErrorDetail => {
    const shown = truncate(field);
    return {
      path: shown,
      code: 'CRITERION',
      message:
        reason === 'BLANK_VALUE'
          ? `the criterion on ${shown} has no value`
          : `${type.displayName} cannot be searched by ${shown === '' ? 'a field without a name' : shown}`,
    };
  });
  throw new GantryError('BAD_REQUEST', details.map(({ message }) => message).join('; '), { details });
}
