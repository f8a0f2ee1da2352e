import type { InstalledPackage } from './plugin-changes';
import type { PluginUi } from './plugin-ui';
import type { RouteContributions } from './route-contributions';
import type { Permission } from '../roles';

/**
 * The states of a plugin. One that nothing is wrong with is `stopped` until it is `started`, and again after the platform
 * has stopped it.
 * @public
 */
export const pluginStates = ['disabled', 'incompatible', 'blocked', 'failed', 'started', 'stopped'] as const;
/** One of {@link pluginStates}. @public */
export type PluginState = (typeof pluginStates)[number];

/** The phases of a start, in order; code, logs, report and metrics use the same words. @public */
export const pluginPhases = ['discover', 'validate', 'order', 'load', 'register', 'link', 'start'] as const;
/** One of {@link pluginPhases}. @public */
export type PluginPhase = (typeof pluginPhases)[number];

/** Why a plugin is in its state. @public */
export interface PluginProblem {
  readonly phase: PluginPhase;
  /** Stable upper-snake word, for example `MANIFEST_INVALID`. */
  readonly code: string;
  readonly reason: string;
  readonly remedy: string;
}

/** Lists of names in `gantry.contributes`: `one` is the word of messages, `many` that of lists. @public */
export const namedContributions = {
  /** Qualified names, for example `geo.Point`. */
  fieldKinds: { one: 'field kind', many: 'Field kinds' },
  /** Fields that it adds to types of other plugins: the code of the type, a point and the name, for example `product.title`. */
  extraFields: { one: 'extra field', many: 'Extra fields' },
  /** Whose writes its code has a say in: `beforeWrite <type>` or `afterWrite <type>`. */
  writeHooks: { one: 'write hook', many: 'Write hooks' },
  /** Its metrics. */
  metrics: { one: 'metric', many: 'Metrics' },
  /** Jobs that run by schedule. */
  schedules: { one: 'schedule', many: 'Schedules' },
  /** Settings that administrators change while the platform runs. */
  settings: { one: 'setting', many: 'Settings' },
  /** Items that the plugin brings when it is enabled for the first time. */
  seeds: { one: 'seed', many: 'Seed data' },
} as const;

/** @public */
export type NamedContribution = keyof typeof namedContributions;

/** Absent where there are none. @public */
export type NamedContributions = Readonly<Partial<Record<NamedContribution, readonly string[]>>>;

/** All kinds, for lists about a plugin. @public */
export function namedContributionsOf(
  contributes: NamedContributions,
): readonly { readonly one: string; readonly many: string; readonly names: readonly string[] }[] {
  return Object.entries(namedContributions).flatMap(([kind, words]) => {
    const names = contributes[kind as NamedContribution] ?? [];
    return names.length === 0 ? [] : [{ ...words, names }];
  });
}

/** Contributions of a plugin to the platform. @public */
export interface Contributions extends NamedContributions, RouteContributions {
  readonly itemTypes: readonly string[];
  readonly taskQueues: readonly string[];
  readonly routes: readonly string[];
  /** Permissions that its routes demand of their callers; absent for a plugin that declares none. */
  readonly permissions?: readonly Permission[];
}

/** One discovered package in the startup report. @public */
export interface PluginReport {
  readonly id: string;
  readonly displayName: string;
  readonly packageName: string;
  readonly version: string;
  readonly folder: string;
  readonly state: PluginState;
  /** The last phase that was entered. */
  readonly phase: PluginPhase;
  readonly problems: readonly PluginProblem[];
  /** Sentences about what does not keep the plugin from running, for example that its folder contains other files by now. */
  readonly notes?: readonly string[];
  readonly dependsOn: Readonly<Record<string, string>>;
  readonly contributes: Contributions;
  /** Its additions to the admin pages; absent for a plugin that adds nothing. */
  readonly ui?: PluginUi;
  /** Why its routes may use items with all rights, as its manifest says; absent for a plugin whose routes only act as their callers. */
  readonly systemScope?: string;
  /** Where its package comes from, if that was installed by command. */
  readonly installed?: InstalledPackage;
  /** Milliseconds spent in each phase that was entered. */
  readonly timings: Readonly<Partial<Record<PluginPhase, number>>>;
}

/** A plugin that adds to the admin pages, as these need it. @public */
export interface PluginUiReport extends Pick<PluginReport, 'id' | 'displayName' | 'state' | 'problems'> {
  readonly ui: PluginUi;
  /** Codes of its item types. */
  readonly itemTypes?: readonly string[];
}

/** A difference between models and database that the platform does not fix automatically. @public */
export interface SchemaDifference {
  readonly table: string;
  readonly plugin: string;
  readonly description: string;
  /** The SQL statement that a migration would need. */
  readonly statement: string;
}

/** The result of a start. @public */
export interface StartupReport {
  readonly plugins: readonly PluginReport[];
  readonly schemaDifferences: readonly SchemaDifference[];
  /** Milliseconds from the start of the process to ready. */
  readonly readyAfter: number;
}
