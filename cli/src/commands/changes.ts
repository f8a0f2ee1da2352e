import { Declined } from '../common/failure';
import {
  changeRetention,
  eraseChanges,
  monthsBefore,
  readRetention,
  type Ask,
  type ChangeRetention,
  type Content,
} from '@gantry/host';
import { interruptible } from '../common/interruption';
import { UsageError } from '../common/usage-error';
import type { CommandContext } from '../context/command-context';
import { findType, withContent, type OpenedContent } from '../context/with-content';
import { byCommand } from '../context/with-identity';
import { assertAskable, confirm } from '../terminal/confirm';
import { counted, table } from '../terminal/table';

export interface RetentionOptions {
  /** Code of a type. */
  readonly type: string | undefined;
  /** A number, or `none`; without it, the retention is shown. */
  readonly months: string | undefined;
}

/** `gantry changes retention`: shows or sets for how many months the changes of items are kept. */
export async function retainChanges(context: CommandContext, { type, months }: RetentionOptions): Promise<number> {
  const wanted = months === undefined ? undefined : { months: parseMonths(months) };
  if (type !== undefined && wanted === undefined) {
    throw new UsageError(`--type ${type} needs --months: a number of months, or none.`);
  }
  const retention = await run(context, 'gantry changes retention', 'The retention was not changed.', (opened) =>
    wanted === undefined ? readRetention(askOf(opened.content)) : storeRetention(opened, type, wanted.months),
  );
  const { terminal } = context;
  const types = Object.entries(retention.types).map(([code, ofType]) => ({ type: code, months: ofType.months }));
  if (context.json) {
    terminal.printJson({ months: retention.months ?? null, types });
    return 0;
  }
  terminal.print(
    retention.months === undefined
      ? 'Changes of all types are kept.'
      : `Changes of all types are kept for ${counted(retention.months, 'month')}: none from before ${dateBefore(retention.months)}.`,
  );
  if (types.length > 0) {
    terminal.print(
      table(
        ['TYPE', 'MONTHS', 'NONE FROM BEFORE'],
        types.map(({ type: code, months: ofType }) => [code, String(ofType), dateBefore(ofType)]),
      ),
    );
  }
  if (wanted === undefined) return 0;
  terminal.print('The host deletes older changes a minute after its next start, then once a day.');
  return 0;
}

async function storeRetention(
  opened: OpenedContent,
  code: string | undefined,
  months: number | undefined,
): Promise<ChangeRetention> {
  const { identity, database } = opened.content;
  // Also the code of a type that is gone can be removed.
  const tableOf = (known: ChangeRetention, type: string): string =>
    (months === undefined ? known.types[type]?.table : undefined) ?? findType(opened, type).descriptor.table;
  const changed = await database.plugins.transaction((transaction) =>
    changeRetention(
      (sql, values) => transaction.query(sql, values),
      (stored) => {
        if (code === undefined) return { ...(months === undefined ? {} : { months }), types: stored.types };
        const { [code]: _replaced, ...others } = stored.types;
        const named = tableOf(stored, code);
        return { ...stored, types: months === undefined ? others : { ...others, [code]: { table: named, months } } };
      },
    ),
  );
  await identity.audit.record({
    ...byCommand,
    action: 'change-retention-set',
    subject: code === undefined ? 'changes' : `type:${code}`,
    detail: { months: months ?? null },
  });
  return changed;
}

export interface EraseOptions {
  readonly type: string;
  readonly id: string;
  readonly field: string | undefined;
  readonly yes: boolean;
}

/** `gantry changes erase`: removes from the history what an item held. */
export async function eraseHistory(context: CommandContext, options: EraseOptions): Promise<number> {
  const { type: code, id, field, yes } = options;
  if (!/^[1-9]\d{0,18}$/.test(id)) throw new UsageError(`The id must be a whole number; got "${id}".`);
  assertAskable(context.terminal, yes, 'Erasing history');
  const what = field === undefined ? `all values of ${code} ${id}` : `the values of ${field} of ${code} ${id}`;
  if (!yes && !(await confirm(context.terminal, `This removes ${what} from its history for good. Continue?`))) {
    throw new Declined('Nothing was erased.');
  }
  const erased = await run(context, 'gantry changes erase', 'Nothing was erased.', async (opened) => {
    const { content } = opened;
    const { descriptor } = findType(opened, code);
    const fields = descriptor.fields.map(({ name }) => name);
    if (field !== undefined && !fields.includes(field)) {
      throw new UsageError(`${code} has no field ${field}.`, `Its fields: ${fields.join(', ')}.`);
    }
    const all = content.policies.open.types.all.map((type) => type.descriptor);
    const report = await eraseChanges(content.database.plugins, all, {
      type: descriptor,
      id,
      ...(field === undefined ? {} : { field }),
    });
    await content.identity.audit.record({
      ...byCommand,
      action: 'changes-erased',
      subject: `${code}:${id}`,
      detail: { ...report, ...(field === undefined ? {} : { field }) },
    });
    return report;
  });
  const { terminal } = context;
  if (context.json) {
    terminal.printJson(erased);
    return 0;
  }
  terminal.print(
    `Erased ${what} from ${counted(erased.rows, 'change')}, and its label from ${counted(erased.references, 'change')} of other items.`,
  );
  terminal.print('The item itself and backups were not changed.');
  return 0;
}

function run<T>(
  context: CommandContext,
  purpose: string,
  afterInterruption: string,
  work: (opened: OpenedContent) => Promise<T>,
): Promise<T> {
  return interruptible(afterInterruption, (signal) => withContent(context, purpose, signal, work));
}

function askOf({ database }: Content): Ask {
  return (sql, values) => database.plugins.query(sql, values);
}

/** @returns undefined for none */
function parseMonths(text: string): number | undefined {
  if (text === 'none') return undefined;
  const months = Number(text);
  if (/^\d{1,4}$/.test(text) && months >= 1) return months;
  throw new UsageError(`--months must be a whole number from 1 to 9999, or none; got "${text}".`);
}

function dateBefore(months: number): string {
  return monthsBefore(new Date(), months).toISOString().slice(0, 10);
}
