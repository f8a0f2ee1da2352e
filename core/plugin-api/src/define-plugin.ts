import type { ItemChange } from '@gantry/contracts';
import type { DefinedFieldKind } from './field-kinds';
import type { ExtraFields } from './items/extra-fields';
import type { ItemTypeClass } from './items/item-metadata';
import type { MetricDefinition } from './metric-definition';
import type { Schedule } from './temporal/schedule';
import type { TypeEvent } from './items/type-events';
import type { WriteHookDefinition } from './items/write-hooks';
import type { RequestSchema } from './routes/request-schema';
import type { Seed } from './seed';
import type { PluginContext, RegisterContext, ServiceContext } from './plugin-context';

const brand = Symbol.for('gantry.plugin');

/** One migration of a plugin: runs once, in a transaction, before the tables of this version are brought up to date. @public */
export interface Migration {
  /** Sorts the migrations of a plugin, for example `2026-11-21-split-name`. */
  readonly name: string;
  /** Statements on the database, for ten minutes at most. Write them so that they also hold on an empty database (`IF EXISTS`). */
  up(context: MigrationContext): Promise<void>;
  /**
   * Whether versions of the plugin without this migration work with what it leaves, so that they may run again after it. Unless given, the
   * platform decides: they do where it only added tables, indexes, and columns that need no value. Set it to true for one that also fills
   * a column that it has added, and to false where earlier code would leave the additions wrong.
   */
  readonly backwardCompatible?: boolean;
}

/** The context of a migration: one connection to PostgreSQL, in the transaction of the migration. @public */
export interface MigrationContext {
  /** Runs a statement with `$1`, `$2` … for the values; rows are returned as objects. */
  query<R extends object = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** A Temporal service: one worker on one task queue. @public */
export interface ServiceDefinition {
  readonly taskQueue: string;
  /** Absolute path of the workflow bundle made at build time; absent for activity-only services. */
  readonly workflowsPath?: string;
  /** Called whenever the worker begins; the names are those by which workflows call them. */
  activities?(context: ServiceContext): Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
}

/**
 * Changes of items that the plugin gets after they are committed: each one at least once, those of one item in order. What `handle`
 * rejects is tried again with ever longer waits, one by one; meanwhile, later changes of the same items wait, and others go on. A change
 * that is rejected for a day is given up. While the plugin is not in use, its changes wait.
 * @example { id: 'search-index', types: ['product'], handle: (batch, ctx) => updateIndex(batch, ctx) }
 * @public
 */
export interface SubscriptionDefinition {
  /** `[a-z][a-z0-9-]{0,39}`. The platform remembers by it how far the plugin has come. */
  readonly id: string;
  /** Codes of the types, also of other plugins. Those of all types unless given. */
  readonly types?: readonly string[];
  /**
   * Where it begins when the plugin is enabled for the first time: `latest` for changes from then on, `oldest` for all that the feed
   * still has. `latest` unless given.
   */
  readonly startAt?: 'latest' | 'oldest';
  /**
   * Runs after the other functions of the plugin have started; one call at a time, with at most 100 changes in the order of the feed, no
   * two of them of the same item. Has 60 seconds, after which `signal` aborts and the changes come again. A change may come again in any
   * case, for example after a crash: compare its `version`, or write what gives the same result twice.
   */
  handle(batch: readonly ItemChange[], context: SubscriptionContext): Promise<void>;
}

/** The context of `handle` of a subscription. @public */
export interface SubscriptionContext extends ServiceContext {
  /** Aborts when the time is up or the host stops. */
  readonly signal: AbortSignal;
}

/** The health of a plugin as it sees itself; `/readyz` shows it. What is not `up` makes the platform `degraded`. @public */
export interface PluginHealth extends Omit<PluginHealthPart, 'name'> {
  /** The state of things that the plugin depends on or does, each shown by its name: 20 at most. */
  readonly parts?: readonly PluginHealthPart[];
}

/** @public */
export interface PluginHealthPart {
  /** At most 60 characters. */
  readonly name: string;
  readonly status: 'up' | 'degraded' | 'down';
  readonly message?: string;
}

/** A function that derives the configuration of the plugin from the environment; throws a plain Error that names what is wrong. @public */
export type ConfigParser = (
  environment: Readonly<Record<string, string | undefined>>,
) => Readonly<Record<string, unknown>>;

/** The default export of a plugin package. @public */
export interface PluginDefinition {
  /** The same as `gantry.id` in package.json. */
  readonly id: string;
  /** Classes with `@ItemType`. */
  readonly itemTypes?: readonly ItemTypeClass[];
  /** Fields that the plugin adds to item types of others; `contributes.extraFields` of the manifest names them. */
  readonly extraFields?: readonly ExtraFields[];
  /** Kinds of fields, made with `defineFieldKind`; fields of any type declare them as `<plugin id>.<name>`. */
  readonly fieldKinds?: readonly DefinedFieldKind[];
  /** Run in the order of their names, before the tables are brought up to date. */
  readonly migrations?: readonly Migration[];
  readonly service?: ServiceDefinition;
  /** Changes of items that the plugin wants to know. */
  readonly subscriptions?: readonly SubscriptionDefinition[];
  /** Code that runs with writes of items; `contributes.writeHooks` of the manifest names them. */
  readonly writeHooks?: readonly WriteHookDefinition[];
  /** Measured values of the plugin; `contributes.metrics` of the manifest names them. */
  readonly metrics?: readonly MetricDefinition[];
  /** Jobs that run by schedule; `contributes.schedules` of the manifest names them. */
  readonly schedules?: readonly Schedule[];
  /** Items that the plugin brings before its first `start`, whose time they share; `contributes.seeds` of the manifest names them. */
  readonly seeds?: readonly Seed[];
  /**
   * Settings that administrators change while the platform runs, as the schema of an object: text, numbers, true or false, choices.
   * `title` and `description` of a member are its texts on the page, `secret: true` keeps it encrypted and shows it to nobody. It must
   * accept `{}`. `contributes.settings` of the manifest names the members.
   * @example z.object({ greeting: z.string().default('Hello'), apiKey: z.string().optional().meta({ secret: true }) })
   */
  readonly settings?: RequestSchema;
  readonly config?: ConfigParser;
  /**
   * Item types of any plugin were renamed or purged: what this plugin stores by their names is to follow. `context.database` is a
   * transaction, in which the platform also notes that the plugin has had the event: what throws is undone, and comes again at the next
   * start. Events from while the plugin was not running come before `start`, whose time they share; the others within seconds.
   */
  onTypeEvent?(event: TypeEvent, context: ServiceContext): Promise<void>;
  /** Synchronous, no I/O: routes and hooks. Has 5 seconds. */
  register?(context: RegisterContext): void;
  /** After the schema is up to date, and after `start` of the plugins it depends on. Has 20 seconds, not counting those in which PostgreSQL or Temporal is unavailable. */
  start?(context: PluginContext): Promise<void>;
  /** At the end, before `stop` of the plugins it depends on; `context.signal` has aborted. Has 10 seconds. */
  stop?(context: PluginContext): Promise<void>;
  /** Asked at most once a second; without an answer within 2 seconds the plugin counts as down. */
  health?(context: PluginContext): Promise<PluginHealth>;
}

/**
 * Marks a definition as a Gantry plugin and freezes it. The platform reports its problems when it loads the plugin.
 * @example export default definePlugin({ id: 'recipes', itemTypes: [Recipe] });
 * @public
 */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  // Plain JavaScript may give anything.
  const given: unknown = definition;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError('definePlugin needs an object: definePlugin({ id: … })');
  }
  const itemTypes = Object.freeze([...listOfTypes(definition.itemTypes ?? [])]);
  return Object.freeze(Object.defineProperty({ ...definition, itemTypes }, brand, { value: true }));
}

function listOfTypes(types: unknown): readonly ItemTypeClass[] {
  if (Array.isArray(types)) return types as readonly ItemTypeClass[];
  const example = typeof types === 'function' ? `, such as [${types.name}]` : '';
  throw new TypeError(`itemTypes of definePlugin must be a list of classes${example}`);
}

/** Recognises by brand, so that a definition from another copy of this package counts too. @internal */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}
