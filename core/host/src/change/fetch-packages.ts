import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DetailCode, PluginPackage } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { CheckOptions } from '../check/check-options';
import { preparePackage, type UploadedTarball } from '../packages/prepare-package';
import { forgetPrepared, textOf, type PreparedPackage } from '../packages/prepared-packages';
import { prepareUpgrade } from '../packages/prepare-upgrade';
import { findUpgradable, PluginError, withDraft, type PluginSources } from '../plugins';
import type { SharedPackages } from '../plugin-set/shared-packages';
import { asRequestError } from './change-errors';
import type { PackageChanges } from './package-changes';

/** Which package a request asks for. Names and versions are those of a registry. */
export type PackageRequest =
  | { readonly kind: 'package'; readonly name: string; readonly version: string }
  | { readonly kind: 'upgrade'; readonly plugin: string; readonly version: string | undefined }
  | { readonly kind: 'tarball'; readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** Fetches packages for requests, one at a time. */
export interface PackageFetcher {
  /** @throws GantryError PLUGIN_NOT_FOUND, CONFLICT, UNAVAILABLE */
  fetch(request: PackageRequest, by: string, signal: AbortSignal): Promise<PluginPackage>;
}

export interface PackageFetcherDependencies extends Pick<CheckOptions, 'config' | 'environment'> {
  readonly packages: Pick<PackageChanges, 'check'>;
  readonly shared: Pick<SharedPackages, 'share'>;
}

/** npm has its own time limits for each step. */
const timeoutMs = 5 * 60_000;

export function createPackageFetcher(dependencies: PackageFetcherDependencies): PackageFetcher {
  let isBusy = false;
  return {
    async fetch(request, by, signal) {
      if (isBusy) {
        throw new GantryError(
          'UNAVAILABLE',
          'Another package is being fetched at the moment. Try again when that has finished.',
        );
      }
      isBusy = true;
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        return await fetchAndCheck(dependencies, request, by, AbortSignal.any([signal, limit]));
      } catch (error) {
        if (!limit.aborted) throw error;
        throw new GantryError('UNAVAILABLE', `The package was not fetched within ${timeoutMs / 60_000} minutes.`);
      } finally {
        isBusy = false;
      }
    },
  };
}

async function fetchAndCheck(
  dependencies: PackageFetcherDependencies,
  request: PackageRequest,
  by: string,
  signal: AbortSignal,
): Promise<PluginPackage> {
  const prepared = await asRequestError(async () => {
    const found = await prepareFor(dependencies, request, by, signal);
    await share(dependencies, found);
    return found;
  });
  return { ...prepared, report: await dependencies.packages.check(prepared.id) };
}

/** The request that installs it may reach another host. */
async function share(
  { config, shared }: PackageFetcherDependencies,
  prepared: Omit<PluginPackage, 'report'>,
): Promise<void> {
  const { id, plugin, installed } = prepared;
  try {
    await shared.share({ id, plugin, contentHash: installed.contentHash, note: textOf(prepared) });
  } catch (error) {
    await forgetPrepared(config.home, id);
    throw error;
  }
}

async function prepareFor(
  { config, environment }: PackageFetcherDependencies,
  request: PackageRequest,
  by: string,
  signal: AbortSignal,
): Promise<Omit<PluginPackage, 'report'>> {
  const options = { home: config.home, project: config.project, environment, by, signal };
  switch (request.kind) {
    case 'package':
      return withReplaced(config, await preparePackage(`npm:${request.name}@${request.version}`, options));
    case 'upgrade': {
      const { plugin, version } = request;
      const prepared = await prepareUpgrade(config, plugin, version, options);
      if ('newest' in prepared) throw upToDate(plugin, prepared.newest);
      return prepared;
    }
    case 'tarball':
      return withDraft(config.home, async (draft) => {
        const upload: UploadedTarball = { file: join(draft, 'upload.tgz'), name: request.name };
        await pipeline(Readable.from(request.bytes), createWriteStream(upload.file), { signal });
        return withReplaced(config, await preparePackage(upload, options));
      });
  }
}

/** With the version that is there, if any. */
async function withReplaced(
  sources: PluginSources,
  prepared: PreparedPackage,
): Promise<PreparedPackage & { readonly replaces?: string }> {
  try {
    return { ...prepared, replaces: (await findUpgradable(sources, prepared.plugin)).from };
  } catch (error) {
    if (error instanceof PluginError && error.code === 'PLUGIN_UNKNOWN') return prepared;
    throw error;
  }
}

function upToDate(plugin: string, version: string): GantryError {
  const message = `${plugin} ${version} is the newest version.`;
  return new GantryError('CONFLICT', message, {
    details: [{ path: version, code: 'UP_TO_DATE' satisfies DetailCode, message }],
  });
}
