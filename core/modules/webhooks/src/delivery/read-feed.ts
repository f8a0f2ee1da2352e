import type { ItemChange } from '@gantry/contracts';
import { shownAuthorFields, type ItemTypeDescriptor, type Scope } from '@gantry/core-content';
import {
  countByTable,
  countChanges,
  positionBefore,
  positionOf,
  type HostDatabase,
  type Position,
} from '@gantry/core-database';
import type { ChangesPort, ChangeText } from '@gantry/core-http/ports';
import type { Feed, FeedChange, FeedPlace } from './feed';
import { isAfter, isSamePosition } from './positions';

export interface FeedOptions {
  readonly changes: ChangesPort;
  readonly database: Pick<HostDatabase, 'query'>;
  /** With all rights. */
  readonly scope: Scope;
}

/** Of more changes, their types are not looked for. */
const maxLookedThrough = 2_000;

/** The change feed with the rights of administrators. */
export function createFeed({ changes, database, scope }: FeedOptions): Feed {
  const { types } = scope.policy;
  const after = async (position: Position, limit: number, codes: readonly string[]) => {
    const wanted = codes.flatMap((code) => types.findServed(code) ?? []);
    return changes.after(scope, position, limit, codes.length === 0 ? undefined : wanted);
  };
  return {
    end: changes.last,
    assertReached: changes.assertReached,
    async read(position, limit, codes) {
      // Before the changes: what is committed in between is read the next time.
      const end = await changes.last();
      const { changes: texts, next, hasMore } = await after(position, limit, codes);
      // There is nothing for the subscription up to the end.
      return { changes: texts.map(feedChange), hasMore, next: !hasMore && isAfter(end, next) ? end : next };
    },
    async at(position) {
      const [epoch, transaction, sequence] = position;
      const page = await after([epoch, transaction, String(BigInt(sequence) - 1n)], 1, []);
      const [found] = page.changes.map(feedChange);
      return found !== undefined && isSamePosition(found.position, position) ? found : undefined;
    },
    async positionAt(time) {
      const [row] = await database.query(positionBefore(time));
      return row === undefined ? changes.last() : positionOf(row);
    },
    async backlogs(places) {
      const tablesOf = ({ types: codes }: FeedPlace): readonly string[] =>
        (codes.length === 0 ? types.served() : codes.flatMap((code) => types.findServed(code) ?? [])).map(
          ({ descriptor }) => descriptor.table,
        );
      const wanted = places.map((place) => ({ after: place.position, tables: tablesOf(place) }));
      const rows = await database.query(countChanges(wanted));
      return rows.map(([count, since]) => ({ count: Number(count), since: since as string | null }));
    },
    typesInUse(codes) {
      const all = types.served();
      const wanted = all.filter(({ descriptor }) => codes.length === 0 || codes.includes(descriptor.code));
      const tables = new Set(all.map(({ descriptor }) => descriptor.table));
      return {
        wanted: new Map(wanted.map(({ descriptor }) => [descriptor.table, descriptor.code])),
        isInUse: (table) => tables.has(table),
      };
    },
    isRead: (code) => types.findServed(code) !== undefined,
    hasField: (code, name) => namesOf(types.findServed(code)?.descriptor).includes(name),
    async typesBetween(from, upTo) {
      const rows = await database.query(countByTable(from, upTo, maxLookedThrough));
      if (rows.reduce((sum, [, count]) => sum + Number(count), 0) >= maxLookedThrough) return undefined;
      const tables = new Set(rows.map(([table]) => table));
      return new Set(types.all.flatMap(({ descriptor }) => (tables.has(descriptor.table) ? [descriptor.code] : [])));
    },
  };
}

/** Of the fields and the author. */
function namesOf(type: ItemTypeDescriptor | undefined): readonly string[] {
  return type === undefined ? [] : [...type.fields, ...shownAuthorFields(type)].map(({ name }) => name);
}

function feedChange({ position, json }: ChangeText): FeedChange {
  const change = JSON.parse(json) as ItemChange;
  return { position, item: `${change.type}/${change.id}`, change, json };
}
