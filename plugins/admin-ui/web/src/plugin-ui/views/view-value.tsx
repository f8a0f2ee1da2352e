import type { RowMember } from '@gantry/contracts';
import { numberText } from '../../api/json';
import { RecentTime } from '../../ui/time/relative-time';
import type { ViewRow } from './rows-query';

interface ViewValueProps {
  readonly member: RowMember;
  readonly row: ViewRow;
  /** When the row was read. */
  readonly now: number;
}

/** A member of a row, by its kind. */
export function ViewValue({ member: { name, kind }, row, now }: ViewValueProps) {
  const value = row[name];
  if (value === undefined || value === null || value === '') return <span className="no-value">–</span>;
  if (kind === 'instant') return <RecentTime value={value} now={now} />;
  if (kind === 'boolean') return value === true ? 'Yes' : 'No';
  return typeof value === 'number' ? value.toLocaleString() : <bdi>{textOf(value)}</bdi>;
}

/** A value as text; one that is no scalar after all is JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (numberText(value) ?? JSON.stringify(value ?? null));
}
