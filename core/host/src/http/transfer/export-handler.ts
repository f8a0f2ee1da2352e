import { GantryError } from '@gantry/plugin-api';
import type { RequestHandler, Response } from 'express';
import { truncate } from '@gantry/core-common';
import type { HostDatabase } from '../../database/create-database';
import type { ItemTypeDescriptor } from '../../content/compile/descriptor';
import type { Scope } from '../../content/policy/scope';
import { exportItems, type ExportOptions, TransferError, type TransferFormat, transferFormats } from '../../transfer';
import type { ReadJson } from '../exchange/body';
import type { FindServedType, ScopeOf } from '../exchange/request-scope';
import { createSharedResource, sharedResources } from '../exchange/shared-resource';
import { whileRead, type PieceWriter } from '../exchange/while-read';
import type { IncomingMessage } from 'node:http';
import { parseFlag, parseOption } from '../../content/query/parameters';
import { parseQuery } from '../exchange/query';
import { parseDelimiter } from './transfer-parameters';
import type { ErrorDetail } from '@gantry/contracts';
import { parseCriteria, type BoundCriterion, type CriteriaOptions } from '../../content/query/criteria';
import { isJsonObject, numberText } from '../../common/json';
import { readId } from '../../content/kinds/reference';
import { parseSearchText, searchTextCriterion, type SearchText } from '../../content/query/search-text';

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
  const exports = createSharedResource(sharedResources.exports);
  return async (request, response) => {
    const scope = scopeOf(request);
    const { descriptor: type } = findType(scope, request.params.type);
    const wanted = parseExportRequest(request);
    const body = await readJson(request, response);
    const options = { types: scope.policy.types, isStrict: wanted.isStrict };
    const selection = parseExportSelection(type, body === undefined ? [] : body, options);
    const criteria = [...selection.criteria, ...wanted.searchText.map((text) => searchTextCriterion(type, text))];
    const send = async ({ reader, write }: PieceWriter): Promise<void> => {
      const text = pieces(scope, { ...wanted, ...selection, criteria, ...reader, where: [], type, database });
      for await (const piece of text) {
        if (!response.headersSent) begin(response, type, wanted.format);
        await write(piece);
      }
      response.end();
    };
    await exports.run(request, () => whileRead(response, send));
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

/** How a request wants the file to be. */
interface ExportRequest {
  readonly format: TransferFormat;
  readonly delimiter: string;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly keepEmpty: boolean;
  /** Whether an operator that the field does not have is refused. */
  readonly isStrict: boolean;
  /** None or one. */
  readonly searchText: readonly SearchText[];
}

const parameters = ['format', 'delimiter', 'ids', 'safeCsv', 'keepEmpty', 'q', 'strict'] as const;

/** Reads the query of an export: the choices of `gantry items export`. @throws GantryError BAD_REQUEST */
function parseExportRequest(request: IncomingMessage): ExportRequest {
  const query = parseQuery(request, parameters);
  return {
    format: parseOption('format', query['format'] ?? 'jsonl', transferFormats),
    delimiter: parseDelimiter(query['delimiter']),
    ids: parseFlag('ids', query['ids']),
    safeCsv: parseFlag('safeCsv', query['safeCsv']),
    keepEmpty: parseFlag('keepEmpty', query['keepEmpty']),
    isStrict: parseFlag('strict', query['strict']),
    searchText: query['q'] === undefined ? [] : [parseSearchText(query['q'])],
  };
}

/** Which items a request wants to have. */
interface ExportSelection {
  readonly criteria: readonly BoundCriterion[];
  /** Only the items of these ids, as far as they exist. */
  readonly only?: readonly string[];
}

const members = ['criteria', 'items'] as const;

/**
 * Reads the body of an export: the criteria of a list, or an object with `criteria` and the ids of `items`. A list names
 * the criteria that it passed over; a file cannot hold that, and would have more than was asked for.
 * @throws GantryError BAD_REQUEST
 */
function parseExportSelection(type: ItemTypeDescriptor, body: unknown, options: CriteriaOptions): ExportSelection {
  if (Array.isArray(body)) return { criteria: appliedCriteria(type, body, options) };
  if (!isJsonObject(body)) {
    throw new GantryError(
      'BAD_REQUEST',
      'The body must be a JSON array of criteria { field, operator, value }, or an object { criteria, items }.',
    );
  }
  const unknown = Object.keys(body).filter((key) => !members.some((member) => member === key));
  if (unknown.length > 0) {
    const named = unknown.slice(0, 10).map((key) => JSON.stringify(truncate(key)));
    throw new GantryError(
      'BAD_REQUEST',
      `The body has the unknown key ${named.join(', ')}. Known are ${members.join(', ')}.`,
    );
  }
  const listed = Object.hasOwn(body, 'criteria') ? body['criteria'] : [];
  if (!Array.isArray(listed)) {
    throw new GantryError('BAD_REQUEST', 'The key criteria must be an array of { field, operator, value }.');
  }
  const criteria = appliedCriteria(type, listed, options);
  return Object.hasOwn(body, 'items') ? { criteria, only: idsOf(body['items']) } : { criteria };
}

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

function idsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new GantryError('BAD_REQUEST', 'The key items must be an array of ids.');
  return value.map((entry: unknown, index) => {
    const id = readId(numberText(entry) ?? '');
    if (id.ok) return id.value;
    throw new GantryError('BAD_REQUEST', `items[${index}] must be an id, a whole number from 1.`);
  });
}
