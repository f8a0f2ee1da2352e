import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  DetailCode,
  InstalledPackage,
  PluginChangeAction,
  PluginCheckReport,
  PluginDecision,
  PluginPackage,
} from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { CheckOptions } from '../check/check-options';
import { checkPlugins } from '../check/check-plugins';
import type { Generations } from '../common/generations';
import { isSettled } from '../common/is-settled';
import { preparePackage, type PreparedPackage } from '../packages/prepare-package';
import { prepareUpgrade } from '../packages/prepare-upgrade';
import {
  findUpgradable,
  openStored,
  planInstall,
  planUninstall,
  planUpgrade,
  PluginError,
  readDecisions,
  readManifest,
  withDraft,
  withoutLock,
} from '@gantry/core-loader';
import { asRequestError, refuseChecked } from './change-errors';
import { unchanged, type PluginChangeAnswer } from './plugin-change-answer';

/** Which package a request asks for. */
export type PackageRequest =
  /** Of the registry; for an upgrade without a name, the package that the plugin came from. Without a version, the newest one. */
  | { readonly kind: 'registry'; readonly name: string | undefined; readonly version: string | undefined }
  | { readonly kind: 'tarball'; readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }
  /** A package that a command on the home has put into its store. */
  | { readonly kind: 'stored'; readonly installed: InstalledPackage };

export interface PackageChoices {
  /** Whether it is fetched and checked, and nothing is changed. */
  readonly isCheck: boolean;
  /** Who does it, for the record. */
  readonly by: string;
  /** Reads the rights of the caller again: fetching takes time. @throws GantryError UNAUTHENTICATED, FORBIDDEN */
  readonly confirm: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Changes of the packages of a running platform. */
export interface PackageChanges {
  /** @throws GantryError CONFLICT, PLUGIN_CHECK_FAILED, PLUGIN_SET_CHANGED, UNAVAILABLE */
  install(request: PackageRequest, enabled: boolean, choices: PackageChoices): Promise<PluginChangeAnswer>;
  /** @throws GantryError PLUGIN_NOT_FOUND, CONFLICT, PLUGIN_CHECK_FAILED, PLUGIN_SET_CHANGED, UNAVAILABLE */
  upgrade(plugin: string, request: PackageRequest, choices: PackageChoices): Promise<PluginChangeAnswer>;
  /** @throws GantryError PLUGIN_NOT_FOUND, CONFLICT, PLUGIN_REQUIRED, PLUGIN_NEEDED, PLUGIN_SET_CHANGED */
  uninstall(plugin: string, disable: boolean): Promise<PluginChangeAnswer>;
}

export interface PackageChangesDependencies extends Pick<CheckOptions, 'config' | 'environment' | 'program'> {
  readonly generations: Generations;
  /** Runs one change after the other. */
  readonly inOrder: <T>(work: () => Promise<T>) => Promise<T>;
  readonly begin: (
    action: PluginChangeAction,
    decisions: ReadonlyMap<string, PluginDecision>,
  ) => Promise<Omit<PluginChangeAnswer, 'report'>>;
}

type Found = PreparedPackage & Pick<PluginPackage, 'replaces'>;

/** The new decision about a package; undefined where that is decided already. */
type Plan = (found: Found) => Promise<PluginDecision | undefined>;

export function createPackageChanges(dependencies: PackageChangesDependencies): PackageChanges {
  const { config, generations, inOrder, begin } = dependencies;
  const fetchOne = createFetching(dependencies);
  const nothing = (): PluginChangeAnswer => unchanged(generations.report().changesTakeEffect);
  const alone = (plugin: string, work: () => Promise<PluginChangeAnswer>): Promise<PluginChangeAnswer> =>
    inOrder(() => {
      assertSettled(plugin, generations);
      return asRequestError(work);
    });
  const bring = async (
    action: 'install' | 'upgrade',
    found: Found,
    { isCheck, confirm }: PackageChoices,
    plan: Plan,
  ): Promise<PluginChangeAnswer> => {
    const shown = { package: shownOf(found) };
    if (isCheck) return { ...nothing(), ...shown, report: await asRequestError(() => check(dependencies, found)) };
    return alone(found.plugin, async () => {
      const decision = await plan(found);
      if (decision === undefined) return { ...nothing(), ...shown };
      const report = await check(dependencies, found);
      if (report.outcome === 'problem') throw refuseChecked(report);
      await confirm();
      return { ...(await begin(action, new Map([[found.plugin, decision]]))), ...shown, report };
    });
  };
  return {
    install: async (request, enabled, choices) =>
      bring('install', await fetchOne(undefined, request, choices), choices, async (found) => {
        const decided = (await readDecisions(config.home)).get(found.plugin);
        return decided?.enabled === enabled && isSamePackage(decided.installed, found.installed)
          ? undefined
          : (await planInstall(config, found, enabled)).decision;
      }),
    upgrade: async (plugin, request, choices) =>
      bring('upgrade', await fetchOne(plugin, request, choices), choices, async (found) => {
        const { isSame, decision } = await planUpgrade(config, found);
        return isSame ? undefined : decision;
      }),
    uninstall: (plugin, disable) =>
      alone(plugin, async () => {
        const { decision } = await planUninstall(config, plugin, disable);
        return begin('uninstall', new Map([[plugin, decision]]));
      }),
  };
}

/** Of the same tarball, also where npm would choose newer versions of what it needs today: an upgrade does that. */
function isSamePackage(before: InstalledPackage | undefined, { contentHash, integrity }: InstalledPackage): boolean {
  return before?.contentHash === contentHash || (integrity !== undefined && before?.integrity === integrity);
}

function shownOf({ folder: _folder, installed, ...found }: Found): PluginPackage {
  return { ...found, installed: withoutLock(installed) };
}

async function check(options: CheckOptions, { folder, installed }: Found): Promise<PluginCheckReport> {
  const { reports } = await checkPlugins(options, [{ folder, installed, origin: installed.from }]);
  const [report] = reports;
  if (report === undefined) throw new GantryError('PLUGIN_NOT_FOUND', 'There is no such package.');
  return report;
}

/** npm has its own time limits for each step. */
const timeoutMs = 5 * 60_000;

/** Fetches packages, one at a time. */
function createFetching(dependencies: PackageChangesDependencies) {
  let isBusy = false;
  return async (plugin: string | undefined, request: PackageRequest, choices: PackageChoices): Promise<Found> => {
    if (isBusy) {
      throw new GantryError('UNAVAILABLE', 'Another package is being fetched. Try again when it has finished.');
    }
    isBusy = true;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([choices.signal, limit]);
    try {
      return await asRequestError(() => findPackage(dependencies, plugin, request, { by: choices.by, signal }));
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new GantryError('UNAVAILABLE', `The package was not fetched within ${timeoutMs / 60_000} minutes.`);
    } finally {
      isBusy = false;
    }
  };
}

async function findPackage(
  { config, environment }: PackageChangesDependencies,
  plugin: string | undefined,
  request: PackageRequest,
  { by, signal }: Pick<PackageChoices, 'by' | 'signal'>,
): Promise<Found> {
  const { home, project } = config;
  const options = { home, project, environment, by, signal };
  if (plugin !== undefined && request.kind === 'registry' && request.name === undefined) {
    const found = await prepareUpgrade(config, plugin, request.version, options);
    if ('newest' in found) throw upToDate(plugin, found.newest);
    return found;
  }
  const found = await prepare(request, options);
  if (plugin === undefined || found.plugin === plugin) return withReplaced(config, found);
  throw new GantryError('CONFLICT', `${found.installed.from} is the plugin ${found.plugin}, not ${plugin}.`);
}

async function prepare(
  request: PackageRequest,
  options: Parameters<typeof preparePackage>[1],
): Promise<PreparedPackage> {
  switch (request.kind) {
    case 'registry':
      return preparePackage(`npm:${request.name ?? ''}@${request.version ?? 'latest'}`, options);
    case 'tarball':
      return withDraft(options.home, async (draft) => {
        const file = join(draft, 'upload.tgz');
        await pipeline(Readable.from(request.bytes), createWriteStream(file), { signal: options.signal });
        return preparePackage({ file, name: request.name }, options);
      });
    case 'stored':
      return openPrepared(options.home, request.installed);
  }
}

async function openPrepared(home: string, installed: InstalledPackage): Promise<PreparedPackage> {
  const stored = await openStored(home, installed.contentHash);
  if (stored === undefined) {
    throw new GantryError('NOT_FOUND', `The store of this host has no package ${installed.contentHash}.`);
  }
  const { folder } = stored;
  const { id: plugin, displayName } = await readManifest(folder);
  return { plugin, displayName, folder, installed };
}

/** With the version that is there, if any. */
async function withReplaced(config: CheckOptions['config'], found: PreparedPackage): Promise<Found> {
  try {
    return { ...found, replaces: (await findUpgradable(config, found.plugin)).from };
  } catch (error) {
    if (error instanceof PluginError && error.code === 'PLUGIN_UNKNOWN') return found;
    throw error;
  }
}

function upToDate(plugin: string, version: string): GantryError {
  const message = `${plugin} ${version} is the newest version.`;
  return new GantryError('CONFLICT', message, {
    details: [{ path: version, code: 'UP_TO_DATE' satisfies DetailCode, message }],
  });
}

/** A plan is made of what is decided, which a change that is under way may not have stored yet. */
function assertSettled(plugin: string, generations: Generations): void {
  const report = generations.report();
  if (isSettled(report)) return;
  const isOwn = report.changes.some(
    ({ phase, plugins }) => phase !== 'done' && phase !== 'failed' && plugins.includes(plugin),
  );
  if (!isOwn) return;
  throw new GantryError(
    'PLUGIN_SET_CHANGED',
    `Another change of the plugin ${plugin} is under way. This request changed nothing. Wait until the other change has ended, and try again.`,
  );
}
