import { GantryError } from '@gantry/plugin-api';
import type { RequestHandler, Response } from 'express';
import type { HostDatabase } from '../../../database/create-database';
import type { ItemTypeDescriptor } from '../../../content/compile/descriptor';
import type { Scope } from '../../../content/policy/scope';
import { exportItems, TransferError, type ExportOptions, type TransferFormat } from '../../../transfer';
import type { ReadJson } from '../../exchange/body';
import type { FindServedType, ScopeOf } from '../../exchange/request-scope';
import { whileRead } from '../../exchange/while-read';
import { parseExportRequest } from './export-request';
import { parseExportSelection } from './export-selection';

export interface ExportDependencies {
  readonly scopeOf: ScopeOf;
  readonly findType: FindServedType;
  readonly database: HostDatabase;
  readonly readJson: ReadJson;
}

/**
 * `POST /api/cms/exports/{type}`: the items that meet the criteria as a file that `POST /api/cms/imports/{type}` takes, here
 * or on another platform, by the rules of `gantry items export`. The head is sent with the first items, so that an error
 * before them is still answered as one; after that, only a broken connection says that the file is incomplete.
 */
export function createExportHandler(dependencies: ExportDependencies): RequestHandler<{ type: string }> {
  const { scopeOf, findType, database, readJson } = dependencies;
  return async (request, response) => {
    const scope = scopeOf(request);
    const { descriptor: type } = findType(scope, request.params.type);
    const wanted = parseExportRequest(request);
    const body = await readJson(request, response);
    const selection = parseExportSelection(type, body === undefined ? [] : body);
    await whileRead(response, async ({ reader, write }) => {
      const text = pieces(scope, { ...wanted, ...selection, ...reader, where: [], type, database });
      for await (const piece of text) {
        if (!response.headersSent) begin(response, type, wanted.format);
        await write(piece);
      }
      response.end();
    });
  };
}

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

const mediaTypes: Readonly<Record<TransferFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

function begin(response: Response, { code }: ItemTypeDescriptor, format: TransferFormat): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', mediaTypes[format]);
  // A code is a plain word; a header must stay one also if that should ever change.
  response.setHeader('Content-Disposition', `attachment; filename="${code.replaceAll(/[^\w.-]/g, '_')}.${format}"`);
}
