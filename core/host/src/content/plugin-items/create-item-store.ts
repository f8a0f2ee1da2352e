import {
  GantryError,
  type BaseItem,
  type Caller,
  type ItemClass,
  type ItemCollection,
  type ItemPage,
  type ItemStore,
  type ItemTransaction,
  type StoredItem,
} from '@gantry/plugin-api';
import type { CompiledItemType } from '../compile/descriptor';
import type { ItemRepository } from '../read/item-repository';
import type { ItemWriter } from '../write/item-writer';
import { readId } from '../kinds/reference';
import { parseListQuery } from '../query/list-query';
import type { Policy } from '../policy/policy';
import { pluginScope, type Scope } from '../policy/scope';
import { itemNotFound } from '../write/write-problems';
import { readKey, readLockNames, readOptions, readPrecondition } from './item-arguments';
import { readItemCriteria } from './item-criteria';
import { itemOf, itemsOf, payloadOf, type PlainItem } from './item-values';
import { createTransactionSlots } from './transaction-slots';

/** What reads and writes items, and which there are. */
export interface ItemAccess {
  readonly policy: Policy;
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  /** The scope of who makes a request; undefined for an object that the host has not made. */
  scopeOf?(caller: Caller): Scope | undefined;
}

/**
 * What a plugin gets as `items`. It reads and writes as requests do, in a scope of the plugin.
 * @param access undefined until the plugins are linked
 * @param interruptSlice called first in each operation, because code of the host follows
 */
export function createItemStore(
  plugin: string,
  access: () => ItemAccess | undefined,
  interruptSlice: () => void = () => {},
): ItemStore {
  const ofPlugin = ({ policy }: ItemAccess): Scope => pluginScope(policy, plugin);
  return createStore({ access, interruptSlice, slots: createTransactionSlots(plugin) }, ofPlugin);
}

interface StoreParts {
  readonly access: () => ItemAccess | undefined;
  readonly interruptSlice: () => void;
  readonly slots: ReturnType<typeof createTransactionSlots>;
}

function createStore(parts: StoreParts, scopeIn: (opened: ItemAccess) => Scope): ItemStore {
  const { access, interruptSlice, slots } = parts;
  const open = (): Access => {
    interruptSlice();
    const opened = access();
    if (opened === undefined) {
      throw new GantryError(
        'UNAVAILABLE',
        'Items are available after all plugins are linked: use them in start or later.',
      );
    }
    return { ...opened, scope: scopeIn(opened), run: (work) => work() };
  };
  return Object.freeze({
    as: (caller: Caller) => createStore(parts, ({ scopeOf }) => scopeOf?.(caller) ?? unknownCaller()),
    of: <T extends BaseItem>(type: ItemClass<T>) => createCollection<T>(type, open),
    async transaction<R>(work: (items: ItemTransaction) => Promise<R>): Promise<R> {
      const outside = open();
      if (typeof work !== 'function') throw new GantryError('BAD_REQUEST', 'A transaction requires a function.');
      return slots.run(() =>
        outside.writer.transaction(async (inside) => {
          const transaction = createTransaction({ ...outside, ...inside });
          try {
            return await work({
              of: (type) => createCollection(type, transaction.open),
              tryLock: async (...names) => transaction.open().run(() => inside.tryLock(readLockNames(names))),
            });
          } finally {
            await transaction.end();
          }
        }),
      );
    },
  });
}

function unknownCaller(): never {
  throw new GantryError(
    'UNAUTHENTICATED',
    'Items are read as the caller of a request: give the one that the route got.',
  );
}

interface Access extends Pick<ItemAccess, 'repository' | 'writer'> {
  readonly scope: Scope;
  /** Runs an operation, in a transaction one after another. */
  readonly run: <R>(work: () => Promise<R>) => Promise<R>;
}

/** One connection takes one operation at a time, also when several are asked for together. */
function createTransaction(access: Access): { readonly open: () => Access; end(): Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  const run: Access['run'] = (work) => {
    const result = last.then(() => {
      if (hasEnded) {
        throw new GantryError(
          'BAD_REQUEST',
          'The transaction has ended. Await all its operations before its function resolves, and do not keep its items.',
        );
      }
      return work();
    });
    last = result.catch(() => undefined);
    return result;
  };
  return {
    open: () => ({ ...access, run }),
    async end() {
      await last;
      hasEnded = true;
    },
  };
}

function createCollection<T extends BaseItem>(model: ItemClass<T>, open: () => Access): ItemCollection<T> {
  /** Runs an operation on the type, which is looked up each time: a plugin may be taken out of use. */
  const on = async <R>(operation: (access: Access, type: CompiledItemType) => Promise<R>): Promise<R> => {
    const access = open();
    const type = typeOf(access.scope, model);
    return access.run(() => operation(access, type));
  };
  return Object.freeze({ ...readersOf<T>(on), ...writersOf<T>(on), ...keyedWritersOf<T>(on) });
}

type OnType = <R>(operation: (access: Access, type: CompiledItemType) => Promise<R>) => Promise<R>;

function readersOf<T extends BaseItem>(on: OnType): Pick<ItemCollection<T>, 'get' | 'find' | 'list' | 'count'> {
  return {
    get: (id) =>
      on(async ({ repository, scope }, { descriptor }) => {
        if (!readId(String(id)).ok) return undefined;
        const row = await repository.get(scope, descriptor, String(id));
        return row && stored<T>(itemOf(descriptor, row.json));
      }),
    find: (criteria) =>
      on(async ({ repository, scope }, { descriptor }) => {
        const row = await repository.find(scope, descriptor, readItemCriteria(descriptor, criteria));
        return row && stored<T>(itemOf(descriptor, row.json));
      }),
    list: (criteria, options) =>
      on(async ({ repository, scope }, { descriptor }): Promise<ItemPage<T>> => {
        const query = parseListQuery(descriptor, textsOf(readOptions(descriptor, options, ['limit', 'sort', 'after'])));
        const page = await repository.list(scope, descriptor, query, readItemCriteria(descriptor, criteria));
        return { items: itemsOf(descriptor, page.rows).map(stored<T>), nextCursor: page.nextCursor };
      }),
    count: (criteria) =>
      on(({ repository, scope }, { descriptor }) =>
        repository.count(scope, descriptor, readItemCriteria(descriptor, criteria)),
      ),
  };
}

function writersOf<T extends BaseItem>(
  on: OnType,
): Pick<ItemCollection<T>, 'create' | 'update' | 'updateWhere' | 'remove' | 'removeWhere'> {
  return {
    create: (values) =>
      on(async ({ writer, scope }, type) => {
        const { json } = await writer.create(scope, type, payloadOf(type.descriptor, values));
        return stored<T>(itemOf(type.descriptor, json));
      }),
    update: (id, values, options) =>
      on(async ({ writer, scope }, type) => {
        const payload = payloadOf(type.descriptor, values);
        const row = await writer.update(
          scope,
          type,
          idOf(type, id),
          payload,
          readPrecondition(type.descriptor, options),
        );
        return stored<T>(itemOf(type.descriptor, row.json));
      }),
    updateWhere: (criteria, values) =>
      on(async ({ writer, scope }, type) => {
        const chosen = readItemCriteria(type.descriptor, criteria);
        const rows = await writer.updateWhere(scope, type, chosen, payloadOf(type.descriptor, values));
        return rows.map(({ json }) => stored<T>(itemOf(type.descriptor, json)));
      }),
    remove: (id, options) =>
      on(async ({ writer, scope }, type) => {
        const chosen = readItemCriteria(type.descriptor, { id: idOf(type, id) });
        const [row] = await writer.removeWhere(scope, type, chosen, readPrecondition(type.descriptor, options));
        if (row === undefined) throw itemNotFound(type.descriptor, id);
        return stored<T>(itemOf(type.descriptor, row.json));
      }),
    removeWhere: (criteria) =>
      on(async ({ writer, scope }, type) => {
        const rows = await writer.removeWhere(scope, type, readItemCriteria(type.descriptor, criteria), {});
        return rows.map(({ json }) => stored<T>(itemOf(type.descriptor, json)));
      }),
  };
}

function keyedWritersOf<T extends BaseItem>(on: OnType): Pick<ItemCollection<T>, 'createIfAbsent' | 'upsert'> {
  return {
    createIfAbsent: (values, key) =>
      on(async ({ writer, scope }, type) => {
        const payload = payloadOf(type.descriptor, values);
        const { json, created } = await writer.createIfAbsent(scope, type, payload, readKey(type.descriptor, key));
        return { item: stored<T>(itemOf(type.descriptor, json)), created };
      }),
    upsert: (values, key) =>
      on(async ({ writer, scope }, type) => {
        const payload = payloadOf(type.descriptor, values);
        const { json, created, changed } = await writer.upsert(scope, type, payload, readKey(type.descriptor, key));
        return { item: stored<T>(itemOf(type.descriptor, json)), created, changed };
      }),
  };
}

/** @throws GantryError TYPE_NOT_FOUND */
function typeOf({ policy }: Scope, model: unknown): CompiledItemType {
  const type = policy.types.all.find((candidate) => candidate.model === model);
  if (type !== undefined && policy.types.isServed(type.descriptor.plugin)) return type;
  const name = typeof model === 'function' ? model.name : String(model);
  throw new GantryError('TYPE_NOT_FOUND', `The class ${name} is not an item type of an enabled plugin.`);
}

function idOf({ descriptor }: CompiledItemType, id: unknown): string {
  const text = String(id);
  if (readId(text).ok) return text;
  throw itemNotFound(descriptor, text.slice(0, 100));
}

function textsOf(options: object): Readonly<Record<string, string>> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** The fields of the type are those that its class declares. */
function stored<T extends BaseItem>(item: PlainItem): StoredItem<T> {
  return item as StoredItem<T>;
}
