import { userInfo } from 'node:os';
import type { InstalledPackage, PluginCheckReport } from '@gantry/contracts';
import {
  forgetPrepared,
  installPackage,
  openPrepared,
  planInstall,
  preparePackage,
  prepareUpgrade,
  upgradePackage,
} from '@gantry/host';
import { interruptible } from '../common/interruption';
import { settingsOf, type CommandContext } from '../context/command-context';
import { openPluginSet } from '../context/open-plugin-set';
import { callPlatform, runningAddress } from '../context/running-platform';
import { checkHere } from './plugins-check';
import type { ChangeAnswer } from './until-changed';

/** A package that was fetched and is not used yet. */
export interface FetchedPackage {
  readonly id: string;
  readonly plugin: string;
  readonly displayName: string;
  readonly installed: InstalledPackage;
  /** The version that is there. */
  readonly replaces?: string;
}

/** What is to be fetched. */
export type Wanted =
  | { readonly action: 'install'; readonly source: string }
  | { readonly action: 'upgrade'; readonly plugin: string; readonly to: string | undefined };

/** Where packages are fetched, checked and installed: in this home, or by a platform of another machine. */
export interface PackagePlace {
  /** @returns a version where that is the newest one, and the plugin has it */
  fetch(wanted: Wanted): Promise<FetchedPackage | { readonly newest: string }>;
  check(fetched: FetchedPackage): Promise<PluginCheckReport>;
  /** The platform begins the change; without one that runs, it is decided for the next start. */
  apply(action: Wanted['action'], fetched: FetchedPackage, enabled: boolean): Promise<ChangeAnswer>;
  forget(fetched: FetchedPackage): Promise<void>;
}

/** In the home, with the settings of npm of this person; the change itself is made by a platform that runs on the home. */
export async function openHomePlace(context: CommandContext): Promise<PackagePlace> {
  const settings = settingsOf(context);
  const address = runningAddress(context);
  const { home } = settings;
  const store = address === undefined ? await openPluginSet(context) : undefined;
  return {
    fetch: (wanted) => fetchHere(context, wanted),
    check: async ({ id }) => {
      if (address !== undefined) {
        return (await callPlatform(
          context,
          address,
          `/api/platform/plugin-packages/${id}/check`,
          {},
        )) as PluginCheckReport;
      }
      const { folder, installed } = await openPrepared(home, id);
      const [report] = await checkHere(context, [{ folder, installed, origin: installed.from }]);
      if (report === undefined) throw new Error('the check has no report');
      return report;
    },
    apply: (action, fetched, enabled) =>
      address === undefined
        ? decideHere(context, action, fetched, { enabled, store })
        : requestChange(context, address, action, fetched, enabled),
    forget: ({ id }) => forgetPrepared(home, id),
  };
}

const consequence = 'Nothing was changed.';

async function fetchHere(
  context: CommandContext,
  wanted: Wanted,
): Promise<FetchedPackage | { readonly newest: string }> {
  const settings = settingsOf(context);
  const { home, project } = settings;
  return interruptible(consequence, async (signal) => {
    const options = { home, project, environment: context.environment, by: userName(), signal };
    if (wanted.action === 'upgrade') return prepareUpgrade(settings, wanted.plugin, wanted.to, options);
    const prepared = await preparePackage(wanted.source, options);
    try {
      await planInstall(settings, prepared, true);
    } catch (error) {
      await forgetPrepared(home, prepared.id);
      throw error;
    }
    return prepared;
  });
}

/** For the record of who has installed what; a system need not know the user of a process. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'command';
  }
}

async function decideHere(
  context: CommandContext,
  action: Wanted['action'],
  { id }: FetchedPackage,
  { enabled, store }: { readonly enabled: boolean; readonly store: (() => Promise<void>) | undefined },
): Promise<ChangeAnswer> {
  const settings = settingsOf(context);
  const prepared = await openPrepared(settings.home, id);
  const now = new Date().toISOString();
  const change = { id, action, plugins: [prepared.plugin], phase: 'done', requestedAt: now, since: now } as const;
  if (action === 'install') await installPackage(settings, prepared, enabled);
  else if ((await upgradePackage(settings, prepared)).isSame) return { takesEffect: 'next-start', change: null };
  await store?.();
  return { takesEffect: 'next-start', change };
}

/** Begins a change by the platform. */
export async function requestChange(
  context: CommandContext,
  address: string,
  action: Wanted['action'],
  { id, plugin }: FetchedPackage,
  enabled: boolean,
): Promise<ChangeAnswer> {
  const body = action === 'install' ? { package: id, enabled } : { package: id };
  return (await callPlatform(context, address, `/api/platform/plugins/${plugin}/${action}`, body)) as ChangeAnswer;
}
