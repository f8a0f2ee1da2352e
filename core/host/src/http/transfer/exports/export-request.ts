import { GantryError } from '@gantry/plugin-api';
import type { IncomingMessage } from 'node:http';
import { parseFlag } from '../../../content/query/list-query';
import { truncate } from '../../../common/truncate';
import { transferFormats, type TransferFormat } from '../../../transfer';
import { parseQuery } from '../../exchange/query';
import { parseDelimiter } from '../transfer-parameters';

/** How a request wants the file to be. */
export interface ExportRequest {
  readonly format: TransferFormat;
  readonly delimiter: string;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly keepEmpty: boolean;
}

const parameters = ['format', 'delimiter', 'ids', 'safeCsv', 'keepEmpty'] as const;

/** Reads the query of an export: the choices of `gantry items export`. @throws GantryError BAD_REQUEST */
export function parseExportRequest(request: IncomingMessage): ExportRequest {
  const query = parseQuery(request, parameters);
  return {
    format: parseFormat(query['format']),
    delimiter: parseDelimiter(query['delimiter']),
    ids: parseFlag('ids', query['ids']),
    safeCsv: parseFlag('safeCsv', query['safeCsv']),
    keepEmpty: parseFlag('keepEmpty', query['keepEmpty']),
  };
}

function parseFormat(text: string | undefined): TransferFormat {
  if (text === undefined) return 'jsonl';
  const format = transferFormats.find((known) => known === text);
  if (format !== undefined) return format;
  throw new GantryError(
    'BAD_REQUEST',
    `The parameter format must be one of ${transferFormats.join(', ')}; "${truncate(text)}" was sent.`,
  );
}
