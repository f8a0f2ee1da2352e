import { isJsonObject, reseal, type SecretBox } from '@gantry/core-common';
import type { CompiledSettings } from '@gantry/core-loader';
import { GantryError } from '@gantry/plugin-api/errors';
import type { Database, Logger, SchemaIssue, Settings } from '@gantry/plugin-api';

/** The settings of the plugins of a host. */
export interface PluginSettings {
  /** Settings as the code of a plugin reads them. */
  open(plugin: string): Settings;
  /** Reads those of these plugins, whose code does not run yet. */
  load(plugins: readonly ConfiguredPlugin[]): Promise<void>;
  /** Settings without secrets, to be shown. @throws GantryError NOT_FOUND for a plugin without settings */
  show(plugin: string): ShownSettings;
  /**
   * Sets values; null takes one back, so that its default counts.
   * @returns names of what is another value now
   * @throws GantryError NOT_FOUND, VALIDATION_FAILED
   */
  change(plugin: string, values: Readonly<Record<string, unknown>>, database: Database): Promise<readonly string[]>;
  /** Takes over what other hosts have stored. */
  refresh(): Promise<void>;
}

export interface ConfiguredPlugin {
  readonly manifest: { readonly id: string };
  readonly settings?: CompiledSettings;
}

export interface ShownSettings {
  readonly properties: CompiledSettings['properties'];
  /** Values that were set, without secrets. */
  readonly values: Values;
  /** Names of secrets that are set. */
  readonly secrets: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

interface Known {
  readonly compiled: CompiledSettings;
  version: string;
  set: Values;
  /** As the schema gives them. */
  current: unknown;
}

interface Row {
  readonly plugin: string;
  readonly set_values: Values;
  readonly version: string;
}

export function createPluginSettings(database: Database, box: SecretBox, logger: Logger): PluginSettings {
  const known = new Map<string, Known>();
  const take = (row: Row): void => {
    const found = known.get(row.plugin);
    if (found === undefined || found.version === row.version) return;
    known.set(row.plugin, knownOf(found.compiled, row, box, logger));
  };
  const find = (plugin: string): Known => {
    const found = known.get(plugin);
    if (found !== undefined) return found;
    throw new GantryError('NOT_FOUND', `The plugin ${plugin} has no settings, or is not in use.`);
  };
  const refresh = async (): Promise<void> => {
    if (known.size === 0) return;
    const sql = 'SELECT plugin, set_values, version FROM gantry_plugin_setting WHERE plugin = ANY ($1::text[])';
    for (const row of await database.query<Row>(sql, [[...known.keys()]])) take(row);
  };
  return {
    open: (plugin) => ({
      get<T>() {
        const found = known.get(plugin);
        if (found !== undefined) return found.current as T;
        throw new GantryError('UNAVAILABLE', 'Settings are available in start and later.');
      },
    }),
    async load(plugins) {
      for (const { manifest, settings } of plugins) {
        if (settings !== undefined) known.set(manifest.id, knownOf(settings, nothing(manifest.id), box, logger));
      }
      await refresh();
    },
    show(plugin) {
      const { compiled, set } = find(plugin);
      const { properties } = compiled;
      const own = Object.entries(set).filter(([name]) => Object.hasOwn(properties, name));
      return {
        properties,
        secrets: own.flatMap(([name, value]) => (isSealed(value) ? [name] : [])),
        // A value from before the setting became a secret is not shown either.
        values: Object.fromEntries(own.filter(([name, value]) => !isSealed(value) && !isSecret(compiled, name))),
      };
    },
    change: async (plugin, values, transaction) =>
      changeStored(find(plugin).compiled, plugin, values, box, transaction),
    refresh,
  };
}

async function changeStored(
  compiled: CompiledSettings,
  plugin: string,
  values: Values,
  box: SecretBox,
  transaction: Database,
): Promise<readonly string[]> {
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('gantry_plugin_setting', 0))");
  const sql = 'SELECT plugin, set_values, version FROM gantry_plugin_setting WHERE plugin = $1';
  const row = (await transaction.query<Row>(sql, [plugin]))[0] ?? nothing(plugin);
  const next = changed(compiled, row, values, box);
  const isOther = (name: string): boolean => JSON.stringify(next[name]) !== JSON.stringify(row.set_values[name]);
  const names = Object.keys(values).filter(isOther);
  if (names.length === 0) return [];
  await transaction.query(
    `INSERT INTO gantry_plugin_setting (plugin, set_values, version) VALUES ($1, $2, 1)
     ON CONFLICT (plugin) DO UPDATE SET set_values = $2, version = gantry_plugin_setting.version + 1`,
    [plugin, JSON.stringify(next)],
  );
  return names;
}

function nothing(plugin: string): Row {
  return { plugin, set_values: {}, version: '0' };
}

function isSecret({ properties }: CompiledSettings, name: string): boolean {
  return properties[name]?.secret === true;
}

/** The stored form of a secret; other values are no objects. */
interface Sealed {
  readonly sealed: string;
}

function isSealed(value: unknown): value is Sealed {
  return isJsonObject(value) && Object.hasOwn(value, 'sealed');
}

function contextOf(plugin: string, name: string): string {
  return `plugin-setting:${plugin}:${name}`;
}

/** Values that the schema of a newer version refuses are left out; their defaults count. */
function knownOf(compiled: CompiledSettings, row: Row, box: SecretBox, logger: Logger): Known {
  const { plugin, set_values: set, version } = row;
  const values = new Map<string, unknown>();
  const leave = (name: string, reason: string): void => {
    values.delete(name);
    logger.warn({ plugin, setting: name }, `a stored setting is left out, and its default counts: ${reason}`);
  };
  for (const name of Object.keys(set)) {
    if (!Object.hasOwn(compiled.properties, name)) continue;
    const plain = plainOf(box, compiled, row, name);
    if (plain === undefined) leave(name, 'it cannot be decrypted');
    else values.set(name, plain);
  }
  let result = compiled.parse(Object.fromEntries(values));
  for (const issue of result.issues ?? []) leave(nameOf(issue), issue.message);
  if (result.issues !== undefined) result = compiled.parse(Object.fromEntries(values));
  // A problem of no single member: all settings have their defaults.
  if (result.issues !== undefined) result = compiled.parse({});
  return { compiled, set, version, current: result.issues === undefined ? result.value : {} };
}

/** @returns undefined for a secret that cannot be read; one that is no secret any more stays hidden */
function plainOf(box: SecretBox, compiled: CompiledSettings, row: Row, name: string): unknown {
  const value = row.set_values[name];
  if (!isSealed(value)) return value;
  try {
    return isSecret(compiled, name) ? box.open(value.sealed, contextOf(row.plugin, name)) : undefined;
  } catch {
    return undefined;
  }
}

/** Values to be stored. @throws GantryError VALIDATION_FAILED */
function changed(compiled: CompiledSettings, row: Row, values: Values, box: SecretBox): Values {
  const { plugin, set_values: before } = row;
  const stored = new Map(Object.entries(before));
  const plain = new Map<string, unknown>();
  for (const name of stored.keys()) {
    const opened = plainOf(box, compiled, row, name);
    if (opened !== undefined && Object.hasOwn(compiled.properties, name)) plain.set(name, opened);
  }
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(compiled.properties, name));
  if (unknown !== undefined) throw refused([{ path: unknown, message: `${unknown} is not a setting of the plugin` }]);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) plain.delete(name);
    else plain.set(name, value);
  }
  const { issues } = compiled.parse(Object.fromEntries(plain));
  const own = (issues ?? []).filter((issue) => nameOf(issue) === '' || Object.hasOwn(values, nameOf(issue)));
  if (own.length > 0) throw refused(own.map((issue) => ({ path: nameOf(issue), message: issue.message })));
  for (const [name, value] of Object.entries(values)) {
    const sealed =
      isSecret(compiled, name) && value !== null
        ? { sealed: box.seal(value as string, contextOf(plugin, name)) }
        : value;
    if (value === null) stored.delete(name);
    else stored.set(name, sealed);
  }
  return Object.fromEntries(stored);
}

function nameOf({ path }: SchemaIssue): string {
  const [first] = path ?? [];
  return String(typeof first === 'object' ? first.key : (first ?? ''));
}

function refused(problems: readonly { readonly path: string; readonly message: string }[]): GantryError {
  const details = problems.map(({ path, message }) => ({ path: `values.${path}`, message, code: 'VALUE_INVALID' }));
  return new GantryError('VALIDATION_FAILED', problems.map(({ message }) => message).join('; '), { details });
}

/** Encrypts secrets with the newest key. @returns for each whether a key opens it */
export async function resealPluginSettings(transaction: Database, box: SecretBox): Promise<readonly boolean[]> {
  const rows = await transaction.query<Row>('SELECT plugin, set_values, version FROM gantry_plugin_setting FOR UPDATE');
  const results: boolean[] = [];
  for (const { plugin, set_values: values } of rows) {
    const next = { ...values };
    for (const [name, value] of Object.entries(values)) {
      if (!isSealed(value)) continue;
      const sealed = reseal(box, value.sealed, contextOf(plugin, name));
      results.push(sealed !== undefined);
      if (sealed !== undefined) next[name] = { sealed };
    }
    await transaction.query('UPDATE gantry_plugin_setting SET set_values = $2 WHERE plugin = $1', [
      plugin,
      JSON.stringify(next),
    ]);
  }
  return results;
}
