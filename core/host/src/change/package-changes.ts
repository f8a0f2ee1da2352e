import type { PluginChangeAction, PluginCheckReport, PluginDecision } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { CheckOptions } from '../check/check-options';
import { checkPlugins } from '../check/check-plugins';
import { isSettled } from '../common/is-settled';
import { openPrepared, type OpenedPackage } from '../packages/prepared-packages';
import type { SharedPackages } from '../plugin-set/shared-packages';
import { planInstall, planUninstall, planUpgrade, readDecisions, type PackagePlan } from '../plugins';
import { asRequestError, refuseChecked } from './change-errors';
import type { Generations } from '../common/generations';
import { unchanged, type PluginChangeAnswer } from './plugin-change-answer';

/** Changes of the packages of a running platform. */
export interface PackageChanges {
  /** @throws GantryError NOT_FOUND */
  check(id: string): Promise<PluginCheckReport>;
  /** @throws GantryError NOT_FOUND, CONFLICT, PLUGIN_CHECK_FAILED, PLUGIN_SET_CHANGED */
  install(plugin: string, id: string, enabled: boolean): Promise<PluginChangeAnswer>;
  /** @throws GantryError NOT_FOUND, PLUGIN_NOT_FOUND, PLUGIN_CHECK_FAILED, PLUGIN_SET_CHANGED */
  upgrade(plugin: string, id: string): Promise<PluginChangeAnswer>;
  /** @throws GantryError PLUGIN_NOT_FOUND, CONFLICT, PLUGIN_REQUIRED, PLUGIN_NEEDED, PLUGIN_SET_CHANGED */
  uninstall(plugin: string, disable: boolean): Promise<PluginChangeAnswer>;
}

export interface PackageChangesDependencies extends Pick<CheckOptions, 'config' | 'environment'> {
  readonly generations: Generations;
  /** Those that other hosts have fetched. */
  readonly shared: Pick<SharedPackages, 'find'>;
  /** Runs one change after the other. */
  readonly inOrder: <T>(work: () => Promise<T>) => Promise<T>;
  readonly begin: (
    action: PluginChangeAction,
    decisions: ReadonlyMap<string, PluginDecision>,
  ) => Promise<Omit<PluginChangeAnswer, 'report'>>;
}

export function createPackageChanges(dependencies: PackageChangesDependencies): PackageChanges {
  const { config, environment, generations, shared, inOrder, begin } = dependencies;
  const openOne = (id: string): Promise<OpenedPackage> => openPrepared(config.home, id, shared.find);
  const checkOne = async ({ folder, installed }: OpenedPackage): Promise<PluginCheckReport> => {
    const target = { folder, installed, origin: installed.from };
    const { reports } = await checkPlugins({ config, environment }, [target]);
    const [report] = reports;
    if (report === undefined) throw new GantryError('PLUGIN_NOT_FOUND', 'There is no such package.');
    return report;
  };
  const open = async (plugin: string, id: string): Promise<OpenedPackage> => {
    const opened = await openOne(id);
    if (opened.plugin === plugin) return opened;
    throw new GantryError('CONFLICT', `That package is the plugin ${opened.plugin}, not ${plugin}.`);
  };
  const apply = async (
    action: PluginChangeAction,
    opened: OpenedPackage,
    { decision }: PackagePlan,
  ): Promise<PluginChangeAnswer> => {
    const report = await checkOne(opened);
    if (report.outcome === 'problem') throw refuseChecked(report);
    return { ...(await begin(action, new Map([[opened.plugin, decision]]))), report };
  };
  const nothing = (): PluginChangeAnswer => unchanged(generations.report().changesTakeEffect);
  const alone = (plugin: string, work: () => Promise<PluginChangeAnswer>): Promise<PluginChangeAnswer> =>
    inOrder(() => {
      assertSettled(plugin, generations);
      return asRequestError(work);
    });
  return {
    check: (id) => asRequestError(async () => checkOne(await openOne(id))),
    install: (plugin, id, enabled) =>
      alone(plugin, async () => {
        const opened = await open(plugin, id);
        // The package is kept for a change that fails; a second request finds it installed.
        const decided = (await readDecisions(config.home)).get(plugin);
        const isSame = decided?.installed?.contentHash === opened.installed.contentHash && decided.enabled === enabled;
        return isSame ? nothing() : apply('install', opened, await planInstall(config, opened, enabled));
      }),
    upgrade: (plugin, id) =>
      alone(plugin, async () => {
        const opened = await open(plugin, id);
        const plan = await planUpgrade(config, opened);
        return plan.isSame ? nothing() : apply('upgrade', opened, plan);
      }),
    uninstall: (plugin, disable) =>
      alone(plugin, async () => {
        const { decision } = await planUninstall(config, plugin, disable);
        return begin('uninstall', new Map([[plugin, decision]]));
      }),
  };
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
    `Another change of the plugin ${plugin} is under way. Nothing was changed by this request; wait until it has ended, and try again.`,
  );
}
