import type { ItemMetadata } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';
import { createTransactionSlots, operationsInOrder } from '@gantry/core-database';
import {
  GantryError,
  type BaseItem,
  type ExtendedCollection,
  type Caller,
  type ItemClass,
  type ItemCollection,
  type ItemPage,
  type ItemStore,
  type ItemTransaction,
  type NamedExtraFields,
  type StoredItem,
  type UntypedCollection,
  type UntypedItem,
} from '@gantry/plugin-api';
import type { CompiledItemType } from '../compile/descriptor';
import type { ItemRepository } from '../read/item-repository';
import { itemMetadata } from '../read/metadata';
import type { ItemWriter } from '../write/item-writer';
import { readId } from '../kinds/reference';
import { largestLimit, parseListQuery } from '../query/list-query';
import { parseCount } from '../query/parameters';
import type { Policy } from '../policy/policy';
import { isReadOnly, pluginScope, type Scope } from '../policy/scope';
import type { CallingRequests } from './calling-requests';
import { itemNotFound } from '../write/write-problems';
import {
  readConfirmed,
  readKey,
  readLockNames,
  readOptions,
  readPrecondition,
  readRemoveOptions,
} from './item-arguments';
import { readItemCriteria } from './item-criteria';
import { itemOf, itemsOf, payloadOf, type PlainItem } from './item-values';

/** Collaborators of item stores, known when the content is open. */
export interface ItemAccess {
  /** Of the plugin itself. */
  readonly policy: Policy;
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  /** The scope of who makes a request; undefined for an object that the host has not made. */
  scopeOf?(caller: Caller): Scope | undefined;
  /** Notes that a plugin acts with all rights in a request. */
  recordSystemScope?(use: SystemScopeUse): void;
}

/** A plugin acts with all rights in a request. */
export interface SystemScopeUse {
  readonly plugin: string;
  /** Method and path of the route that answers the request. */
  readonly route: string;
  /** Why, as the manifest says. */
  readonly reason: string;
}

export interface ItemStoreOptions {
  readonly plugin: string;
  /** `gantry.systemScope` of the manifest: why the plugin acts with all rights in requests; without it, it does not. */
  readonly systemScope?: string | undefined;
  /** Undefined until the plugins are linked. */
  readonly access: () => ItemAccess | undefined;
  /** The requests whose callers the plugin acts as; none unless given. */
  readonly requests?: Pick<CallingRequests, 'current' | 'cause'>;
}

/**
 * The `items` of a plugin. It reads and writes as requests do: within a request in the scope of its caller, otherwise in the
 * scope of the plugin.
 */
export function createItemStore(options: ItemStoreOptions): ItemStore {
  const { plugin, systemScope, requests = outsideOfRequests, ...others } = options;
  const parts: ItemStoreDependencies = {
    ...others,
    requests,
    plugin,
    systemScope,
    slots: createTransactionSlots(plugin),
  };
  return createStore(parts, ({ policy }) => requests.current()?.scope() ?? pluginScope(policy, plugin));
}

const outsideOfRequests = { current: () => undefined, cause: () => undefined };

interface ItemStoreDependencies extends Omit<ItemStoreOptions, 'requests'> {
  readonly requests: Pick<CallingRequests, 'current' | 'cause'>;
  readonly slots: ReturnType<typeof createTransactionSlots>;
}

type ScopeIn = (opened: ItemAccess) => Scope;

function createStore(parts: ItemStoreDependencies, scopeIn: ScopeIn): ItemStore {
  const { access, slots, plugin } = parts;
  const open = (): Access => {
    const opened = access();
    if (opened === undefined) {
      throw new GantryError(
        'UNAVAILABLE',
        'Items are available after all plugins are linked: use them in start or later.',
      );
    }
    return { ...opened, plugin, scope: scopeIn(opened), run: (work) => work() };
  };
  return Object.freeze({
    as: (caller: Caller) => createStore(parts, scopeOfCaller(parts, caller)),
    asPlugin: () => createStore(parts, scopeOfPlugin(parts)),
    of: <T extends BaseItem>(type: ItemClass<T>) => createCollection<T>(type, open),
    byType: (code: string) => createUntyped(code, open),
    async transaction<R>(work: (items: ItemTransaction) => Promise<R>): Promise<R> {
      const outside = open();
      if (typeof work !== 'function') throw new GantryError('BAD_REQUEST', 'A transaction requires a function.');
      return slots.run(() =>
        outside.writer.transaction(outside.scope, async (inside) => {
          const { run, end } = operationsInOrder();
          const opened = (): Access => ({ ...outside, ...inside, run });
          try {
            return await work({
              of: (type) => createCollection(type, opened),
              byType: (code) => createUntyped(code, opened),
              tryLock: async (...names) => run(() => inside.tryLock(readLockNames(names))),
            });
          } finally {
            await end();
          }
        }),
      );
    },
  });
}

function scopeOfCaller({ requests }: ItemStoreDependencies, caller: Caller): ScopeIn {
  return ({ scopeOf }) => {
    const scope = scopeOf?.(caller);
    if (scope === undefined) {
      throw new GantryError(
        'UNAUTHENTICATED',
        'Items are read as the caller of a request. Pass the caller that the route received.',
      );
    }
    const request = requests.cause();
    return request === undefined ? scope : { ...scope, requestId: request.scope().requestId };
  };
}

/** Each operation within a request is audited. @throws GantryError FORBIDDEN */
function scopeOfPlugin({ plugin, systemScope: reason, requests }: ItemStoreDependencies): ScopeIn {
  if (reason === undefined) {
    throw new GantryError(
      'FORBIDDEN',
      `The plugin ${plugin} may not use items.asPlugin(): its package.json has no member gantry.systemScope, with the reason for which it needs all rights in requests.`,
    );
  }
  return ({ policy, recordSystemScope }) => {
    const scope = pluginScope(policy, plugin);
    const request = requests.cause();
    if (request === undefined) return scope;
    recordSystemScope?.({ plugin, route: request.route, reason });
    return { ...scope, requestId: request.scope().requestId };
  };
}

interface Access extends Pick<ItemAccess, 'policy' | 'repository' | 'writer'> {
  readonly plugin: string;
  readonly scope: Scope;
  /** Runs an operation, in a transaction one after another. */
  readonly run: <R>(work: () => Promise<R>) => Promise<R>;
}

function createUntyped(code: string, open: () => Access): UntypedCollection {
  const metadata = (): ItemMetadata => itemMetadata(typeOf(open(), code).descriptor);
  return Object.freeze({ ...createCollection<UntypedItem>(code, open), metadata });
}

type Extended<T extends BaseItem, Plugin extends string, Extra extends object> = ExtendedCollection<
  T & NamedExtraFields<Plugin, Extra>,
  NamedExtraFields<Plugin, Extra>
>;

/** @param wanted the class of the type, or its code */
function createCollection<T extends BaseItem>(wanted: ItemClass<T> | string, open: () => Access): ItemCollection<T> {
  /** Runs an operation on the type, which is looked up each time: a plugin may be taken out of use. */
  const on = async <R>(operation: (access: Access, type: CompiledItemType) => Promise<R>): Promise<R> => {
    const access = open();
    const type = typeOf(access, wanted);
    return access.run(() => operation(access, type));
  };
  const onWrite: OnType = (operation) =>
    on((access, type) => {
      assertWritesOwn(access, type);
      return operation(access, type);
    });
  const items = { ...readersOf<T>(on), ...writersOf<T>(onWrite), ...keyedWritersOf<T>(onWrite) };
  return Object.freeze({
    ...items,
    // The names of extra fields are known to the compiler alone.
    with: <Plugin extends string, Extra extends object>() => {
      const maintain = (id: string, values: object) =>
        on(({ writer, scope, plugin }, type) => writer.maintain(scope, type, idOf(type, id), { plugin, values }));
      return { ...createCollection(wanted as string, open), maintain } as unknown as Extended<T, Plugin, Extra>;
    },
  });
}

/**
 * Refuses with a message for the author of the plugin; the check that follows would name the plugin as the only writer.
 * @throws GantryError METHOD_NOT_ALLOWED for a read-only type of the plugin that it writes as the caller of a request
 */
function assertWritesOwn({ plugin, scope }: Access, type: CompiledItemType): void {
  const { descriptor } = type;
  if (descriptor.plugin !== plugin || !isReadOnly(scope, type)) return;
  throw new GantryError(
    'METHOD_NOT_ALLOWED',
    `${descriptor.displayName} is read-only for the caller of the request: the plugin ${plugin} writes it by items.asPlugin(), which needs gantry.systemScope in its package.json.`,
  );
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
        const row = await repository.find(scope, descriptor, readItemCriteria(scope, descriptor, criteria));
        return row && stored<T>(itemOf(descriptor, row.json));
      }),
    list: (criteria, options) =>
      on(async ({ repository, scope }, { descriptor }): Promise<ItemPage<T>> => {
        const { limit, ...texts } = textsOf(readOptions(descriptor, options, ['limit', 'sort', 'after']));
        const size = limit === undefined ? undefined : parseCount('limit', limit, largestLimit);
        const query = parseListQuery(descriptor, { ...texts, limit: size });
        const page = await repository.list(scope, descriptor, query, readItemCriteria(scope, descriptor, criteria));
        return { items: itemsOf(descriptor, page.rows).map(stored<T>), nextCursor: page.nextCursor };
      }),
    count: (criteria) =>
      on(({ repository, scope }, { descriptor }) =>
        repository.count(scope, descriptor, readItemCriteria(scope, descriptor, criteria)),
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
        const chosen = readItemCriteria(scope, type.descriptor, criteria);
        const rows = await writer.updateWhere(scope, type, chosen, payloadOf(type.descriptor, values));
        return rows.map(({ json }) => stored<T>(itemOf(type.descriptor, json)));
      }),
    remove: (id, options) =>
      on(async ({ writer, scope }, type) => {
        const chosen = readItemCriteria(scope, type.descriptor, { id: idOf(type, id) });
        const [row] = await writer.removeWhere(scope, type, chosen, readRemoveOptions(type.descriptor, options));
        if (row === undefined) throw itemNotFound(type.descriptor, id);
        return stored<T>(itemOf(type.descriptor, row.json));
      }),
    removeWhere: (criteria, options) =>
      on(async ({ writer, scope }, type) => {
        const chosen = readItemCriteria(scope, type.descriptor, criteria);
        const confirmed = readConfirmed(type.descriptor, options);
        const rows = await writer.removeWhere(scope, type, chosen, { confirmed });
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
function typeOf({ scope, policy }: Access, wanted: unknown): CompiledItemType {
  const isMeant = ({ model, descriptor }: CompiledItemType): boolean => model === wanted || descriptor.code === wanted;
  const type = scope.policy.types.all.find(isMeant);
  if (type !== undefined && scope.policy.types.isServed(type.descriptor.plugin)) return type;
  // The client of the route gets what it would get for a type that does not exist.
  const hidden = type === undefined ? policy.types.all.find(isMeant) : undefined;
  const code = typeof wanted === 'string' ? truncate(wanted) : hidden?.descriptor.code;
  if (code !== undefined) throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
  const name = typeof wanted === 'function' ? wanted.name : String(wanted);
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
