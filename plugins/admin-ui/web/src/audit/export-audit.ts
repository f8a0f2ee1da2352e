import type { ModelInfo } from '@gantry/contracts';
import { fetchChanges, type ItemChange } from '../api/changes';
import { toJson } from '../api/json';
import { itemLabel } from '../api/label';
import { csvLine, withoutFormula } from '../content/list/export/export-table';
import type { FileWork } from '../content/list/export/use-file-run';
import { fetchSecurityEvents, type AuditRequest, type SecurityEvent } from './audit-api';
import type { AuditTab } from './audit-state';
import { detailText } from './security-events';

export interface AuditExport extends FileWork {
  readonly tab: AuditTab;
  readonly format: 'csv' | 'jsonl';
  /** Its size and beginning do not matter. */
  readonly request: AuditRequest;
  readonly types: readonly ModelInfo[];
}

const pageSize = 1_000;

/** Writes all entries that the filters leave, page by page. */
export async function exportAudit({ sink, signal, onProgress, ...wanted }: AuditExport): Promise<void> {
  const { tab, format } = wanted;
  const isCsv = format === 'csv';
  // The byte order mark marks the text as UTF-8 for spreadsheets.
  if (isCsv) await sink.write(`\uFEFF${csvLine(tab === 'items' ? changeColumns : eventColumns)}`);
  let count = 0;
  for await (const entries of pagesOf(wanted, signal)) {
    const lines = entries.map(({ entry, cells }) =>
      isCsv ? csvLine(cells.map(withoutFormula)) : `${toJson(entry)}\n`,
    );
    if (lines.length > 0) await sink.write(lines.join(''));
    count += entries.length;
    onProgress(count);
  }
}

interface Entry {
  readonly entry: object;
  readonly cells: readonly string[];
}

type Wanted = Pick<AuditExport, 'tab' | 'request' | 'types'>;

async function* pagesOf({ tab, request, types }: Wanted, signal: AbortSignal): AsyncGenerator<readonly Entry[]> {
  let before: string | undefined;
  do {
    const wanted = { ...request, limit: pageSize, before };
    if (tab === 'items') {
      const { changes, nextBefore } = await fetchChanges(wanted, signal);
      yield changes.map((entry) => ({ entry, cells: changeCells(entry, types) }));
      before = nextBefore;
    } else {
      const { events, nextBefore } = await fetchSecurityEvents(wanted, signal);
      yield events.map((entry) => ({ entry, cells: eventCells(entry) }));
      before = nextBefore;
    }
  } while (before !== undefined);
}

const changeColumns = [
  ...['time', 'actor', 'actor name', 'action', 'type', 'id', 'item', 'version', 'restored version'],
  ...['fields', 'source', 'request', 'position'],
];

function changeCells(change: ItemChange, types: readonly ModelInfo[]): readonly string[] {
  const { at, actor = '', actorName = '', action, type, id, version, restoredVersion, changed, values = {} } = change;
  const label = itemLabel(
    { id, values },
    types.find((known) => known.type === type),
  );
  return [
    ...[at, actor, actorName, action, type, id, label, String(version)],
    ...[restoredVersion === undefined ? '' : String(restoredVersion), changed.join(' ')],
    ...[change.source ?? '', change.requestId ?? '', change.position],
  ];
}

const eventColumns = ['time', 'actor', 'actor name', 'action', 'subject', 'address', 'count', 'details', 'id'];

function eventCells(event: SecurityEvent): readonly string[] {
  const { at, actor, actorName = '', action, subject, address, count, id } = event;
  return [at, actor, actorName, action, subject, address, String(count), detailText(event), id];
}
