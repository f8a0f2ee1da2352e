import type { ErrorDetail, ItemChange, RestoreCheck, Row } from '@gantry/contracts';
import { plain } from '../../common/plain';
import type { CommandContext } from '../../context/command-context';
import { callRoute } from '../../context/running-platform';
import { table } from '../../terminal/table';

export interface HistoryOptions {
  readonly type: string;
  readonly id: string;
  readonly limit: number;
}

export interface RestoreOptions {
  readonly type: string;
  readonly id: string;
  readonly version: number | undefined;
  readonly check: boolean;
  readonly without: readonly string[];
  /** By field, in place of those of the version. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** `gantry items history <type> <id>`: the versions of an item, the newest first. */
export async function showHistory(context: CommandContext, { type, id, limit }: HistoryOptions): Promise<number> {
  const wanted = { path: { type, id }, query: { limit } };
  const { data: changes } = await callRoute('GET', '/api/cms/items/{type}/{id}/history', wanted, context);
  const { terminal } = context;
  if (context.json) terminal.printJson(changes);
  else if (changes.length === 0) {
    terminal.print('No history yet: the item has not changed since the platform began to record changes.');
  } else terminal.print(table(['VERSION', 'AT', 'ACTOR', 'ACTION', 'FIELDS'], changes.map(rowOf)));
  return 0;
}

/** `gantry items deleted <type>`: deleted items, the latest first. */
export async function listDeleted(context: CommandContext, type: string, limit: number): Promise<number> {
  const wanted = { path: { type }, query: { limit } };
  const { data: items } = await callRoute('GET', '/api/cms/items/{type}/deleted', wanted, context);
  const { terminal } = context;
  if (context.json) terminal.printJson(items);
  else if (items.length === 0) terminal.print('No deleted items');
  else {
    const rows = items.map((item) => [String(item.id), plain(item.label), item.deletedAt, actorOf(item)]);
    terminal.print(table(['ID', 'LABEL', 'DELETED', 'BY'], rows));
  }
  return 0;
}

/** `gantry items restore <type> <id>`: exit code 1 where a check finds what cannot be restored. */
export async function restoreItem(context: CommandContext, options: RestoreOptions): Promise<number> {
  const { type, id, version, check, without, values } = options;
  const body = {
    ...(version === undefined ? {} : { version }),
    ...(check ? { check } : {}),
    ...(without.length === 0 ? {} : { without }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
  const path = { type, id };
  const { data: result } = await callRoute('POST', '/api/cms/items/{type}/{id}/restore', { path, body }, context);
  if (check) return reportCheck(context, result as RestoreCheck);
  const row = result as Row;
  const { terminal } = context;
  if (context.json) terminal.printJson(row);
  else {
    const what = version === undefined ? '' : `version ${version} of `;
    terminal.print(`Restored ${what}${type} ${row.id}, which has version ${String(row.values['version'])} now.`);
  }
  return 0;
}

function reportCheck(context: CommandContext, found: RestoreCheck): number {
  const { terminal } = context;
  const { version, isDeleted, changes, problems } = found;
  if (context.json) terminal.printJson(found);
  else {
    const what = isDeleted ? `The item is deleted. Version ${version} would be created again:` : `Version ${version}:`;
    terminal.print(changes.length === 0 ? 'Nothing would change.' : what);
    for (const { field, before, after } of changes) {
      terminal.print(`  ${field}: ${isDeleted ? '' : `${valueText(before)} -> `}${valueText(after)}`);
    }
    if (problems.length > 0) terminal.error(problemText(problems));
  }
  return problems.length === 0 ? 0 : 1;
}

function problemText(problems: readonly ErrorDetail[]): string {
  const lines = problems.map(({ path, message }) => `  ${path}: ${plain(message)}`);
  return ['Cannot be restored, unless left out by --without or given by --values:', ...lines].join('\n');
}

/** A value of a row on one line; references by label. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'no value';
  if (Array.isArray(value)) return value.length === 0 ? 'no value' : value.map(valueText).join(', ');
  if (typeof value === 'object') {
    const { id, label } = value as { readonly id?: unknown; readonly label?: unknown };
    return `${typeof label === 'string' ? plain(label) : 'item'} (${String(id)})`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = plain(value);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function rowOf(change: ItemChange): readonly string[] {
  const { version, at, action, restoredVersion, changed } = change;
  const isReverted = restoredVersion !== undefined;
  const fields = action === 'updated' ? changed.join(', ') : '';
  return [String(version), at, actorOf(change), isReverted ? `${action} (to ${restoredVersion})` : action, fields];
}

/** Who wrote, by name where there is one. */
export function actorOf({ actor = '', actorName }: Pick<ItemChange, 'actor' | 'actorName'>): string {
  return actorName === undefined ? actor : `${plain(actorName)} (${actor})`;
}
