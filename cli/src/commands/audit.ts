import type { ItemChange } from '@gantry/contracts';
import { plain } from '../common/plain';
import type { CommandContext } from '../context/command-context';
import { callPlatform } from '../context/running-platform';
import { table } from '../terminal/table';
import { actorOf, addressOf } from './items-history';

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

interface SecurityEvent {
  readonly at: string;
  readonly actor: string;
  readonly actorName?: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string;
  readonly count: number;
}

/** `gantry audit`: who did what, the latest first. */
export async function showAudit(context: CommandContext, options: AuditOptions): Promise<number> {
  const entries = (await callPlatform(context, addressOf(context), pathOf(options))) as readonly object[];
  const { terminal } = context;
  if (context.json) terminal.printJson(entries);
  else if (entries.length === 0) terminal.print('No results');
  else if (options.items) {
    const rows = (entries as readonly ItemChange[]).map(changeRow);
    terminal.print(table(['AT', 'ACTOR', 'ACTION', 'TYPE', 'ID', 'VERSION', 'FIELDS'], rows));
  } else {
    const rows = (entries as readonly SecurityEvent[]).map(eventRow);
    terminal.print(table(['AT', 'ACTOR', 'ACTION', 'SUBJECT', 'ADDRESS', 'COUNT'], rows));
  }
  return 0;
}

function pathOf({ actor, action, from, to, limit, items, type }: AuditOptions): string {
  const parameters = { actor, action, from, to, limit: String(limit) };
  const query = new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (!items) return `/api/platform/audit?${query.toString()}`;
  query.set('order', 'newest');
  if (type !== undefined) query.set('types', type);
  return `/api/cms/changes?${query.toString()}`;
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
