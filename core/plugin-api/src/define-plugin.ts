import type { ItemTypeClass } from './item-metadata';
import type { PluginContext, RegisterContext, ServiceContext } from './plugin-context';

const brand = Symbol.for('gantry.plugin');

/** One migration of a plugin: runs once, in a transaction, before the tables of this version are brought up to date. @public */
export interface Migration {
  /** Sorts the migrations of a plugin, for example `2026-11-21-split-name`. */
  readonly name: string;
  /** Statements on the database. Write them so that they also hold on an empty database (`IF EXISTS`). */
  up(context: MigrationContext): Promise<void>;
}

/** @public */
export interface MigrationContext {
  query<R extends object = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** A Temporal service: one worker on one task queue. @public */
export interface ServiceDefinition {
  readonly taskQueue: string;
  /** Absolute path of the workflow bundle made at build time; absent for activity-only services. */
  readonly workflowsPath?: string;
  activities?(context: ServiceContext): Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
}

/** The health of a plugin as it sees itself. @public */
export interface PluginHealth {
  readonly status: 'up' | 'degraded' | 'down';
  readonly message?: string;
}

/** What turns configuration of the environment into the plugin's own; throws a plain Error that names what is wrong. @public */
export type ConfigParser = (
  environment: Readonly<Record<string, string | undefined>>,
) => Readonly<Record<string, unknown>>;

/** What a plugin package exports by default. @public */
export interface PluginDefinition {
  /** The same as `gantry.id` in package.json. */
  readonly id: string;
  readonly itemTypes?: readonly ItemTypeClass[];
  readonly migrations?: readonly Migration[];
  readonly service?: ServiceDefinition;
  readonly config?: ConfigParser;
  /** Synchronous, no I/O: routes and hooks. */
  register?(context: RegisterContext): void;
  start?(context: PluginContext): Promise<void>;
  stop?(context: PluginContext): Promise<void>;
  health?(context: PluginContext): Promise<PluginHealth>;
}

/**
 * Marks a definition as a Gantry plugin and freezes it.
 * @example export default definePlugin({ id: 'recipes', itemTypes: [Recipe] });
 * @public
 */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  return Object.freeze(
    Object.defineProperty({ ...definition, itemTypes: Object.freeze([...(definition.itemTypes ?? [])]) }, brand, {
      value: true,
    }),
  );
}

/** @internal */
export function isPluginDefinition(value: unknown): value is PluginDefinition {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}
