import type { PlatformSchema } from '@gantry/client/platform';
import type { ItemChange } from '@gantry/contracts';
import { plain } from '../../common/plain';
import { callRoute } from '../../context/running-platform';
import type { CommandContext } from '../../context/command-context';
import { table } from '../../terminal/table';
import { actorOf } from '../items/items-history';

export interface AuditOptions {
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly limit: number;
  /** Changes of items, not events that concern security. */
  readonly items: boolean;
  /** Only changes of items of this type. */
  readonly type: string | undefined;
}

type SecurityEvent = PlatformSchema<'AuditEvent'>;

/** `gantry audit`: who did what, the latest first. */
export async function showAudit(context: CommandContext, options: AuditOptions): Promise<number> {
  return options.items ? showChanges(context, options) : showEvents(context, options);
}

async function showEvents(context: CommandContext, { actor, action, from, to, limit }: AuditOptions): Promise<number> {
  const given = { actor, action, from, to };
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const { data } = await callRoute('GET', '/api/platform/audit', { query: { ...query, limit } }, context);
  return show(context, data, ['AT', 'ACTOR', 'ACTION', 'SUBJECT', 'ADDRESS', 'COUNT'], eventRow);
}

async function showChanges(context: CommandContext, options: AuditOptions): Promise<number> {
  const { actor, action, from, to, limit, type } = options;
  const given = { actor, action, from, to, types: type };
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const wanted = { query: { ...query, limit, order: 'newest' as const } };
  const { data: changes } = await callRoute('GET', '/api/cms/changes', wanted, context);
  return show(context, changes, ['AT', 'ACTOR', 'ACTION', 'TYPE', 'ID', 'VERSION', 'FIELDS'], changeRow);
}

function show<T extends object>(
  { json, terminal }: CommandContext,
  entries: readonly T[],
  header: readonly string[],
  rowOf: (entry: T) => readonly string[],
): number {
  if (json) terminal.printJson(entries);
  else if (entries.length === 0) terminal.print('No results');
  else terminal.print(table(header, entries.map(rowOf)));
  return 0;
}

function changeRow(change: ItemChange): readonly string[] {
  const { at, action, type, id, version, changed } = change;
  const fields = action === 'updated' ? changed.join(', ') : '';
  return [at, actorOf(change), action, type, String(id), String(version), fields];
}

function eventRow(event: SecurityEvent): readonly string[] {
  const { at, action, subject, address, count } = event;
  return [at, actorOf(event), action, plain(subject), address, String(count)];
}
