import type { PlatformSchema } from '@gantry/client/platform';
import { ApiError, unreachable } from '../api/api-error';
import { noteOwnRequest } from '../api/own-requests';
import { callPlatform } from '../api/call-platform';
import { readJson, refusal } from '../api/request';
import type { ChangeAnswer } from './plugin-api';

type PluginPackage = PlatformSchema<'PluginPackage'>;

/** The package that a reader asks for. Without a name, the one that the plugin came from. */
export type WantedPackage = { readonly package?: string; readonly version?: string } | { readonly file: File };

/** A package that was fetched and checked, with what it was asked for by. */
export interface FoundPackage extends PluginPackage {
  readonly report: PackageAnswer['report'];
  readonly wanted: WantedPackage;
}

/** The platform has five minutes to fetch a package, and checks it then. */
const fetchTimeoutMs = 7 * 60_000;

/**
 * Lets the platform fetch and check a package.
 * @param plugin the one that is to be upgraded; undefined to install another one
 * @throws ApiError, the signal's reason when aborted
 */
export async function fetchPackage(
  wanted: WantedPackage,
  plugin: string | undefined,
  signal: AbortSignal,
): Promise<FoundPackage> {
  const answer = await send(wanted, plugin, { check: 'true' }, signal);
  return { ...answer.package, report: answer.report, wanted };
}

export function installPackage(found: FoundPackage, enabled: boolean): Promise<ChangeAnswer> {
  return send(checked(found), undefined, enabled ? {} : { disabled: 'true' });
}

export function upgradeToPackage(found: FoundPackage): Promise<ChangeAnswer> {
  return send(checked(found), found.plugin, {});
}

/** Request for the version that was checked: a newer one may have been published meanwhile. */
function checked({ wanted, installed: { packageName, version } }: FoundPackage): WantedPackage {
  return 'file' in wanted ? wanted : { package: packageName, version };
}

type PackageAnswer = Required<ChangeAnswer>;

async function send(
  wanted: WantedPackage,
  plugin: string | undefined,
  flags: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<PackageAnswer> {
  const isFile = 'file' in wanted;
  const query = new URLSearchParams(isFile ? { ...flags, name: nameOf(wanted.file) } : flags);
  const target = plugin === undefined ? 'install' : `${plugin}/upgrade`;
  const timeout = AbortSignal.timeout(fetchTimeoutMs);
  let response: Response;
  try {
    response = await fetch(`/api/platform/plugins/${target}?${query}`, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': isFile ? 'application/gzip' : 'application/json' },
      body: isFile ? wanted.file : JSON.stringify(wanted),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (timeout.aborted) throw new ApiError(0, 'TIMEOUT', 'The platform did not answer in time.');
    throw unreachable();
  }
  const json = readJson(await response.text());
  noteOwnRequest(response.headers.get('X-Request-Id'));
  if (!response.ok) throw refusal(response, json);
  return (json as { readonly data: PackageAnswer }).data;
}

/** As the platform accepts it. */
function nameOf({ name }: File): string {
  return name.replaceAll(/[^\w@. +-]/g, '_').slice(-200);
}

/** Disables the plugin, too. */
export async function uninstallPlugin(plugin: string): Promise<ChangeAnswer> {
  const wanted = { path: { id: plugin }, body: { disable: true } };
  return (await callPlatform('POST', '/api/platform/plugins/{id}/uninstall', wanted)).data;
}
