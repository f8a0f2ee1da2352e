import { literal, quoteIdentifier, sqlStateOf, type RunQuery } from '@gantry/core-database';
import { onceFor } from '@gantry/core-common';
import {
  writtenFields,
  generatedBy,
  isLinked,
  type CompiledItemType,
  type ItemTypeDescriptor,
} from '@gantry/core-content';

/** An item as it was: values by field name, as the feed has them. */
export interface ItemState {
  readonly id: string;
  /** JSON object. */
  readonly values: string;
}

/** The rights that a policy gives on an item in one state. */
export interface StateRights {
  readonly isShown: boolean;
  shows(field: string): boolean;
}

const all: StateRights = Object.freeze({ isShown: true, shows: () => true });
const nothing: StateRights = Object.freeze({ isShown: false, shows: () => false });

/**
 * The rights that the policy of the type gives on each of the states. Conditions are evaluated over the values of the state, which may be
 * long past, not over those of today.
 */
export async function rightsOnStates(
  type: CompiledItemType,
  states: readonly ItemState[],
  query: RunQuery,
): Promise<readonly StateRights[]> {
  const conditions = conditionsOf(type.descriptor);
  if (conditions.length === 0) return states.map(() => all);
  const sql = stateStatement(type.stored ?? type.descriptor, conditions);
  const met = await evaluate(sql, states, query);
  return met.map((flags) => (flags === undefined ? nothing : rightsOf(type.descriptor, conditions, flags)));
}

const conditionsOf = onceFor(({ rows, fields }: ItemTypeDescriptor): readonly string[] => [
  ...new Set([rows?.read, ...fields.map(({ shownOn }) => shownOn)].filter((condition) => condition !== undefined)),
]);

function rightsOf(
  { rows, fields }: ItemTypeDescriptor,
  conditions: readonly string[],
  flags: readonly boolean[],
): StateRights {
  const isMet = (condition: string | undefined): boolean =>
    condition === undefined || flags[conditions.indexOf(condition)] === true;
  const shownOn = new Map(fields.map((field) => [field.name, field.shownOn]));
  return { isShown: isMet(rows?.read), shows: (field) => isMet(shownOn.get(field)) };
}

type Flags = readonly boolean[] | undefined;

/** A value outside the type of the current column never matches a condition: readers with conditions do not see the state. */
async function evaluate(sql: string, states: readonly ItemState[], query: RunQuery): Promise<readonly Flags[]> {
  try {
    const rows = await query({ sql, values: [statesJson(states)] });
    return rows.map(([flags]) => flags as readonly boolean[]);
  } catch (error) {
    // Class 22: a value that does not fit.
    if (sqlStateOf(error)?.startsWith('22') !== true) throw error;
    if (states.length === 1) return [undefined];
  }
  const single: Flags[] = [];
  for (const state of states) single.push(...(await evaluate(sql, [state], query)));
  return single;
}

function statesJson(states: readonly ItemState[]): string {
  return `[${states.map(({ id, values }) => `{"id":${id},"v":${values}}`).join(',')}]`;
}

/**
 * Parameters: a JSON array of states. A row for each, in order: [whether it meets each of the conditions]. The conditions are those over
 * items aliased `t`; link tables that they read are hidden by common table expressions of the same names, with the links of the state.
 */
function stateStatement(type: ItemTypeDescriptor, conditions: readonly string[]): string {
  const columns = writtenFields(type)
    .filter(({ column, computed }) => column !== '' && computed === undefined)
    .map(
      ({ name, column, columnType }) =>
        `(x.e -> 'v' ->> ${literal(name)})::${columnType} AS ${quoteIdentifier(column)}`,
    );
  const links = type.fields.filter(isLinked).map(({ name, reference }) => {
    const ids = `jsonb_array_elements_text(coalesce(nullif(x.e -> 'v' -> ${literal(name)}, 'null'), '[]')) i`;
    return `${quoteIdentifier(reference?.linkTable ?? '')} AS (SELECT (x.e ->> 'id')::bigint AS item_id, i::bigint AS target_id FROM ${ids})`;
  });
  const met = conditions.map((condition) => `coalesce(${condition}, false)`).join(', ');
  const state = [`(x.e ->> 'id')::bigint AS id`, ...columns].join(', ');
  const generated = type.fields.flatMap((field) => {
    const expression = generatedBy(field);
    const { columnType, column } = field;
    // A comment at its end must not reach what follows.
    return expression === undefined ? [] : [`(${expression}\n)::${columnType} AS ${quoteIdentifier(column)}`];
  });
  const whole =
    generated.length === 0 ? `SELECT ${state}` : `SELECT s.*, ${generated.join(', ')} FROM (SELECT ${state}) s`;
  const shadows = links.length === 0 ? '' : `WITH ${links.join(', ')} `;
  return (
    `SELECT (${shadows}SELECT ARRAY[${met}]::boolean[] FROM (${whole}) t)` +
    ` FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS x (e, n) ORDER BY x.n`
  );
}
