import type { PluginPackage } from '@gantry/contracts';
import { ApiError, unreachable } from '../api/api-error';
import { noteOwnRequest } from '../api/own-requests';
import { readJson, refusal, request } from '../api/request';
import type { ChangeAnswer } from './plugin-api';

/** The package that a reader asks for. */
export type WantedPackage =
  | { readonly package: string; readonly version?: string }
  | { readonly plugin: string; readonly version?: string }
  | { readonly file: File };

/** The platform has five minutes to fetch a package, and checks it then. */
const fetchTimeoutMs = 7 * 60_000;

/** Lets the platform fetch and check a package. @throws ApiError, the signal's reason when aborted */
export async function fetchPackage(wanted: WantedPackage, signal: AbortSignal): Promise<PluginPackage> {
  const isFile = 'file' in wanted;
  const path = '/api/platform/plugin-packages';
  const timeout = AbortSignal.timeout(fetchTimeoutMs);
  let response: Response;
  try {
    response = await fetch(isFile ? `${path}?name=${encodeURIComponent(nameOf(wanted.file))}` : path, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': isFile ? 'application/gzip' : 'application/json' },
      body: isFile ? wanted.file : JSON.stringify(wanted),
      signal: AbortSignal.any([signal, timeout]),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    if (timeout.aborted) throw new ApiError(0, 'TIMEOUT', 'The platform did not answer in time.');
    throw unreachable();
  }
  const json = readJson(await response.text());
  noteOwnRequest(response.headers.get('X-Request-Id'));
  if (!response.ok) throw refusal(response, json);
  return (json as { readonly data: PluginPackage }).data;
}

/** As the platform accepts it. */
function nameOf({ name }: File): string {
  return name.replaceAll(/[^\w@. +-]/g, '_').slice(-200);
}

export function installPackage({ plugin, id }: PluginPackage, enabled: boolean): Promise<ChangeAnswer> {
  return change(plugin, 'install', { package: id, enabled });
}

export function upgradeToPackage({ plugin, id }: PluginPackage): Promise<ChangeAnswer> {
  return change(plugin, 'upgrade', { package: id });
}

/** Disables the plugin, too. */
export function uninstallPlugin(plugin: string): Promise<ChangeAnswer> {
  return change(plugin, 'uninstall', { disable: true });
}

async function change(plugin: string, action: string, body: object): Promise<ChangeAnswer> {
  return (await request<ChangeAnswer>(`/api/platform/plugins/${plugin}/${action}`, { method: 'POST', body })).data;
}
