import type { DetailCode } from '@gantry/contracts';
import { GantryError, invalidParameter } from '@gantry/plugin-api';
import type { Request } from 'express';
import { truncate } from '@gantry/core-common';
import { isJsonObject, parseJson } from '../../../common/json';
import { parseFlag } from '../../../content/query/parameters';
import type { MappingOptions, TransferFormat } from '../../../transfer';
import { parseQuery } from '../../exchange/query';
import { parseDelimiter } from '../transfer-parameters';
import { openUpload } from '../../exchange/upload';

/** What a request asks to be done with the file in its body. */
export interface ImportRequest extends MappingOptions {
  readonly format: TransferFormat;
  readonly delimiter: string;
  readonly ids: boolean;
  readonly safeCsv: boolean;
  readonly keepIds: boolean;
  readonly keepEmpty: boolean;
  readonly match: readonly string[];
  readonly dryRun: boolean;
  /** The client reads lines about the progress, not one document at the end. */
  readonly wantsProgress: boolean;
  /** The file as it arrives. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export const progressType = 'application/x-ndjson';

/** The formats by media type. */
const formats: Readonly<Record<string, TransferFormat>> = {
  'text/csv': 'csv',
  [progressType]: 'jsonl',
  'application/jsonl': 'jsonl',
  'application/json': 'json',
};

const parameters = [
  'dryRun',
  'delimiter',
  'map',
  'set',
  'match',
  'ignoreUnknown',
  'ids',
  'keepIds',
  'safeCsv',
  'keepEmpty',
] as const;

/**
 * Reads the head of an import: what the file is, and how its columns become fields. The same choices as those of
 * `gantry items import`.
 * @param limit bytes of the file at most
 * @throws GantryError BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE
 */
export function parseImportRequest(request: Request, limit: number): ImportRequest {
  const query = parseQuery(request, parameters);
  const upload = openUpload(request, { mediaTypes: Object.keys(formats), limit });
  return {
    bytes: upload.bytes,
    format: formatOf(upload.mediaType, request.headers['content-type']),
    delimiter: parseDelimiter(query['delimiter']),
    map: textMap('map', query['map']),
    set: textMap('set', query['set']),
    match: (query['match'] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    ignoreUnknown: parseFlag('ignoreUnknown', query['ignoreUnknown']),
    ids: parseFlag('ids', query['ids']),
    safeCsv: parseFlag('safeCsv', query['safeCsv']),
    keepIds: parseFlag('keepIds', query['keepIds']),
    keepEmpty: parseFlag('keepEmpty', query['keepEmpty']),
    dryRun: parseFlag('dryRun', query['dryRun']),
    wantsProgress: (request.headers.accept ?? '').toLowerCase().includes(progressType),
  };
}

function formatOf(mediaType: string, contentType = ''): TransferFormat {
  const format = formats[mediaType];
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1] ?? 'utf-8';
  if (format !== undefined && /^utf-?8$/i.test(charset)) return format;
  throw new GantryError('UNSUPPORTED_MEDIA_TYPE', `The file must be in UTF-8; "${truncate(contentType)}" was sent.`);
}

const wrongType = 'WRONG_TYPE' satisfies DetailCode;

/** `{"Title":"title"}`: JSON, because names of columns may hold any character. */
function textMap(name: string, text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const value = readJson(name, text);
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  const texts = entries.flatMap(([key, entry]) => (typeof entry === 'string' ? [[key, entry] as const] : []));
  if (!isJsonObject(value) || texts.length < entries.length) {
    throw invalidParameter(name, `The parameter ${name} must be a JSON object of texts, such as {"a":"b"}`, wrongType);
  }
  return new Map(texts);
}

function readJson(name: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw invalidParameter(name, `The parameter ${name} is not valid JSON`, wrongType, cause);
  }
}
