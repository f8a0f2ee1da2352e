import { isGroup, type BoundCriterion } from '../query/criteria';
import { isLinked } from '../compile/descriptor';
import type { ListQuery } from '../query/list-query';
import { hasOrderIndex, hasTrigramIndex } from '../compile/tables';
import type { TableStatistics } from './column-statistics';

/**
 * How a list with criteria finds its rows:
 * `order` walks the ids and leaves out what does not meet the criteria; `equality` walks the ids of one value of a field, which
 * its index has in order; `range` reads all items from the index of a field whose values are between two bounds or contain a text,
 * and sorts them.
 */
export type ListPath =
  | { readonly kind: 'order' }
  | {
      readonly kind: 'equality' | 'range';
      /** Position of the criterion whose index is read. */
      readonly criterion: number;
    };

/**
 * Chooses the path that reads the fewest rows, so that one kept plan is as good as a plan for the values.
 * @returns undefined where the statistics do not cover a criterion, or the list is sorted by a field: then it is planned for its values
 */
export function chooseListPath(
  query: Pick<ListQuery, 'limit' | 'sort'>,
  criteria: readonly BoundCriterion[],
  statistics: TableStatistics | undefined,
): ListPath | undefined {
  if (query.sort.column !== '' || criteria.length === 0 || statistics === undefined) return undefined;
  const fractions: number[] = [];
  for (const criterion of criteria) {
    const fraction = statistics.fraction(criterion);
    if (fraction === undefined) return undefined;
    fractions.push(fraction);
  }
  return fewestRows(criteria, fractions, query.limit + 1, statistics.rows);
}

function fewestRows(
  criteria: readonly BoundCriterion[],
  fractions: readonly number[],
  wanted: number,
  rows: number,
): ListPath {
  const all = fractions.reduce((product, fraction) => product * fraction, 1);
  let best: ListPath = { kind: 'order' };
  let fewest = Math.min(rows, wanted / all);
  for (const [index, criterion] of criteria.entries()) {
    const fraction = fractions[index] ?? 1;
    const isEquality = !isGroup(criterion) && criterion.operator === 'EQUALS';
    const matching = rows * fraction;
    const read = isEquality ? Math.min(matching, (wanted * fraction) / all) : matching;
    if (!hasIndex(criterion) || !(read < fewest)) continue;
    best = { kind: isEquality ? 'equality' : 'range', criterion: index };
    fewest = read;
  }
  return best;
}

function hasIndex(criterion: BoundCriterion): boolean {
  if (isGroup(criterion) || criterion.via !== undefined) return false;
  const { field, operator } = criterion;
  if (operator === 'CONTAINS') return hasTrigramIndex(field);
  return field.name === 'id' || (!isLinked(field) && hasOrderIndex(field));
}
