import { conditionsIn, type Grant, type GrantCondition } from '@gantry/contracts';
import type { RenamedType } from '@gantry/core-database';

export interface RenamedGrants {
  readonly grants: readonly Grant[];
  /** Whether a grant, or a field of one, was taken away. */
  readonly removed: boolean;
}

/**
 * Gives grants the names of today. What already had such a name was not about these items or values: it is taken away, so that a
 * rename never makes a grant wider.
 */
export function renameInGrants(grants: readonly Grant[], type: RenamedType): RenamedGrants {
  const renamed = grants.map((grant) => renameInGrant(grant, type));
  return {
    grants: renamed.flatMap(({ grant }) => grant ?? []),
    removed: renamed.some(({ removed }) => removed),
  };
}

interface RenamedGrant {
  readonly grant: Grant | undefined;
  readonly removed: boolean;
}

function renameInGrant(grant: Grant, { plugin, code, earlierCode, fields }: RenamedType): RenamedGrant {
  const { on, readableFields, writableFields, where } = grant;
  if (typeof on === 'string' || on.plugin !== plugin || on.type === undefined) return { grant, removed: false };
  const before = earlierCode ?? code;
  if (on.type !== before) {
    const isStale = on.type === code;
    return { grant: isStale ? undefined : grant, removed: isStale };
  }
  const names = new Map(fields.map(({ from, to }) => [from, to]));
  const stale = new Set(names.values());
  const given = [readableFields ?? [], writableFields ?? []].flat();
  if (conditionsIn(where ?? []).some(({ field }) => stale.has(field))) return { grant: undefined, removed: true };
  const rename = (list: readonly string[]): readonly string[] =>
    list.filter((name) => !stale.has(name)).map((name) => names.get(name) ?? name);
  return {
    grant: {
      ...grant,
      on: { ...on, type: code },
      ...(readableFields === undefined ? {} : { readableFields: rename(readableFields) }),
      ...(writableFields === undefined ? {} : { writableFields: rename(writableFields) }),
      ...(where === undefined ? {} : { where: where.map((condition) => renameCondition(condition, names)) }),
    },
    removed: given.some((name) => stale.has(name)),
  };
}

function renameCondition(condition: GrantCondition, names: ReadonlyMap<string, string>): GrantCondition {
  if ('any' in condition) return { any: condition.any.map((one) => renameCondition(one, names)) };
  if ('all' in condition) return { all: condition.all.map((one) => renameCondition(one, names)) };
  return { ...condition, field: names.get(condition.field) ?? condition.field };
}
