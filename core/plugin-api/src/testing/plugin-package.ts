import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** A plugin package as its package.json shows it; nothing of it is checked yet. */
export interface PluginPackage {
  /** Absolute. */
  readonly folder: string;
  /** For headings: the plugin id, or the folder's name where there is none. */
  readonly label: string;
  /** The parsed package.json; empty when it cannot be read. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Why package.json cannot be read. */
  readonly unreadable?: string;
  readonly id: string;
  readonly itemTypes: readonly string[];
  readonly routes: readonly string[];
  /** `gantry.systemScope` as it is; undefined without it. */
  readonly systemScope: unknown;
  /** Names of the permissions that it declares. */
  readonly permissions: readonly string[];
  /** Names of the commands that it declares. */
  readonly commands: readonly string[];
  /** Names of the cards and pages that it declares. */
  readonly homeCards: readonly string[];
  readonly tablePages: readonly string[];
  /** Names of the metrics that it declares. */
  readonly metrics: readonly string[];
}

/** Reads what the checks are named after. Never throws: a broken package.json fails a check instead. */
export function readPluginPackage(path: string): PluginPackage {
  const folder = resolve(path);
  const { json, unreadable } = readJson(join(folder, 'package.json'));
  const manifest = member(json, 'gantry');
  const contributes = member(manifest, 'contributes');
  const id = typeof manifest['id'] === 'string' ? manifest['id'] : '';
  return {
    folder,
    label: id === '' ? basename(folder) : id,
    json,
    ...(unreadable === undefined ? {} : { unreadable }),
    id,
    itemTypes: texts(contributes['itemTypes']),
    routes: texts(contributes['routes']),
    systemScope: manifest['systemScope'],
    permissions: names(contributes['permissions']),
    commands: names(contributes['commands']),
    homeCards: names(contributes['homeCards']),
    tablePages: names(contributes['tablePages']),
    metrics: texts(contributes['metrics']),
  };
}

/** A member that should be an object; empty when it is not. */
export function member(parent: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = parent[name];
  return isObject(value) ? value : {};
}

function readJson(file: string): { readonly json: Readonly<Record<string, unknown>>; readonly unreadable?: string } {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? { json: value } : { json: {}, unreadable: 'it is not a JSON object' };
  } catch (error) {
    return { json: {}, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? texts(value.map((entry: unknown) => (isObject(entry) ? entry['name'] : entry))) : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
