import type { Criterion, ItemMetadata } from '@gantry/contracts';
import { ApiError } from '../../../api/api-error';
import type { CriterionEntry, ListRequest } from '../../../api/items';
import { kindOf } from '../../kinds/registry';

/**
 * Criteria as the fields are now. One on the text of days, from an address or view of the time when the field was text, becomes one on
 * days where that says exactly the same.
 */
export function currentCriteria(
  { searchable }: ItemMetadata,
  criteria: readonly CriterionEntry[],
): readonly CriterionEntry[] {
  const days = new Set(searchable.flatMap(({ name, type }) => (kindOf(type).isDay ? [name] : [])));
  const current = (entry: CriterionEntry): CriterionEntry => {
    if ('any' in entry) return { any: entry.any.map(current) };
    if ('all' in entry) return { all: entry.all.map(current) };
    return days.has(entry.field) ? onDays(entry) : entry;
  };
  return days.size === 0 ? criteria : criteria.map(current);
}

/** A part of the text of days, `YYYY-MM-DD`, is all days from one to another if it has the whole year. */
function onDays(criterion: Criterion): Criterion {
  const { operator, value } = criterion;
  const text = value.trim();
  // Text that the platform reads as a day, month or year is left as it is.
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return criterion;
  const isPrefix = operator === 'CONTAINS' || operator === 'STARTS_WITH';
  if (isPrefix && /^\d{4}(-\d\d)?$/.test(text)) return criterion;
  const [first, last] = daysBeginningWith(text) ?? [];
  if (first === undefined || last === undefined) return criterion;
  if (isPrefix) return { ...criterion, operator: 'BETWEEN', value: JSON.stringify([first, last]) };
  // A text is greater than what it begins with, and so are the days after these.
  if (operator === 'MORE_THAN') return { ...criterion, operator: 'BETWEEN', value: JSON.stringify([first, lastDay]) };
  return operator === 'LESS_THAN' ? { ...criterion, operator: 'BEFORE', value: first } : criterion;
}

const lastDay = '9999-12-31';

/** The first and the last day whose text begins so. */
function daysBeginningWith(text: string): readonly [string, string] | undefined {
  const [, year = '', , month = '', , day = ''] = /^(\d{4})(-(\d{0,2})(-(\d{0,2}))?)?$/.exec(text) ?? [];
  const months = numbers(12).filter((one) => one.startsWith(month));
  const [firstMonth, lastMonth] = [months[0], months.at(-1)];
  if (year === '' || year === '0000' || firstMonth === undefined || lastMonth === undefined) return undefined;
  const daysOf = (one: string) => numbers(new Date(Date.UTC(Number(year) + 400, Number(one), 0)).getUTCDate());
  const first = daysOf(firstMonth).find((one) => one.startsWith(day));
  const last = daysOf(lastMonth).findLast((one) => one.startsWith(day));
  if (first === undefined || last === undefined) return undefined;
  return [`${year}-${firstMonth}-${first}`, `${year}-${lastMonth}-${last}`];
}

function numbers(count: number): readonly string[] {
  return Array.from({ length: count }, (_one, index) => String(index + 1).padStart(2, '0'));
}

/** A request without criteria that the platform has refused, and why. */
export interface FittingRequest {
  readonly request: ListRequest;
  /** Sentences of the platform. */
  readonly refused: readonly string[];
}

/** @param error of the request as it was; a group is left out as a whole, as a part of it would say something else */
export function withoutRefused(request: ListRequest, error: unknown): FittingRequest {
  const details = error instanceof ApiError && error.status === 400 ? error.details : [];
  const refused = details.flatMap(({ path, message }) => {
    const [, index] = /^\[(\d+)\]/.exec(path) ?? [];
    return index === undefined ? [] : [{ index: Number(index), message }];
  });
  if (refused.length === 0) return { request, refused: [] };
  const criteria = request.criteria.filter((_entry, position) => !refused.some(({ index }) => index === position));
  return { request: { ...request, criteria }, refused: refused.map(({ message }) => message) };
}
