import type { PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import { callPlatform } from '../../api/platform/call-platform';
import type { ChangeAnswer } from '../plugin-api';

type PluginPackage = PlatformSchema<'PluginPackage'>;

/** The package that a reader asks for. Without a name, the one that the plugin came from. */
export type WantedPackage = { readonly package?: string; readonly version?: string } | { readonly file: File };

/** A package that was fetched and checked, with what it was asked for by. */
export interface FoundPackage extends PluginPackage {
  readonly report: PackageAnswer['report'];
  readonly wanted: WantedPackage;
}

/** The platform has five minutes to fetch a package, and checks it then. */
const timeoutMs = 7 * 60_000;

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
  const { package: found, report } = (await bring(wanted, plugin, { check: true }, signal)) as PackageAnswer;
  return { ...found, report, wanted };
}

export function installPackage(found: FoundPackage, enabled: boolean): Promise<ChangeAnswer> {
  return bring(checked(found), undefined, enabled ? {} : { disabled: true });
}

export function upgradeToPackage(found: FoundPackage): Promise<ChangeAnswer> {
  return bring(checked(found), found.plugin, {});
}

/** Request for the version that was checked: a newer one may have been published meanwhile. */
function checked({ wanted, installed: { packageName, version } }: FoundPackage): WantedPackage {
  return 'file' in wanted ? wanted : { package: packageName, version };
}

type PackageAnswer = Required<ChangeAnswer>;

async function bring(
  wanted: WantedPackage,
  plugin: string | undefined,
  flags: { readonly check?: boolean; readonly disabled?: boolean },
  signal?: AbortSignal,
): Promise<ChangeAnswer> {
  const waiting = { timeoutMs, ...(signal === undefined ? {} : { signal }) };
  const content =
    'file' in wanted
      ? {
          query: { ...flags, name: nameOf(wanted.file) },
          file: { mediaType: 'application/gzip', content: wanted.file } as const,
        }
      : { query: flags, body: wanted };
  if (plugin !== undefined) {
    const upgrade = { path: { id: plugin }, ...content };
    return (await callPlatform('POST', '/api/platform/plugins/{id}/upgrade', upgrade, waiting)).data;
  }
  return (await callPlatform('POST', '/api/platform/plugins/install', content as InstallRequest, waiting)).data;
}

type InstallRequest = PlatformRequest<'POST', '/api/platform/plugins/install'>;

/** As the platform accepts it. */
function nameOf({ name }: File): string {
  return name.replaceAll(/[^\w@. +-]/g, '_').slice(-200);
}

/** Disables the plugin, too. */
export async function uninstallPlugin(plugin: string): Promise<ChangeAnswer> {
  const wanted = { path: { id: plugin }, body: { disable: true } };
  return (await callPlatform('POST', '/api/platform/plugins/{id}/uninstall', wanted)).data;
}
