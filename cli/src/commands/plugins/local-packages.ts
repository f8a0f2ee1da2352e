import { userInfo } from 'node:os';
import {
  installPackage,
  planInstall,
  preparePackage,
  prepareUpgrade,
  upgradePackage,
  type PreparedPackage,
} from '@gantry/host';
import { interruptible } from '../../common/interruption';
import { settingsOf, type CommandContext } from '../../context/command-context';
import { openPluginSet } from '../../context/open-plugin-set';
import { callRoute, runningAddress } from '../../context/running-platform';
import type { PackagePlace, Wanted } from './package-place';
import { checkHere } from './plugins-check';
import type { ChangeAnswer } from './until-changed';

/** In the home, with the settings of npm of this person; the change itself is made by a platform that runs on the home. */
export async function openHomePlace(context: CommandContext): Promise<PackagePlace> {
  if (runningAddress(context) !== undefined) return (wanted) => checkByPlatform(context, wanted);
  const store = await openPluginSet(context);
  return async (wanted) => {
    const prepared = await fetchHere(context, wanted);
    if ('newest' in prepared) return prepared;
    const { folder, installed } = prepared;
    const [report] = await checkHere(context, [{ folder, installed, origin: installed.from }]);
    if (report === undefined) throw new Error('the check has no report');
    return {
      ...prepared,
      report,
      apply: async (enabled) => {
        const answer = await decideHere(context, wanted.action, prepared, enabled);
        await store();
        return answer;
      },
    };
  };
}

/** It finds the package in the store of the home. */
async function checkByPlatform(context: CommandContext, wanted: Wanted): ReturnType<PackagePlace> {
  const prepared = await fetchHere(context, wanted);
  if ('newest' in prepared) return prepared;
  const body = { stored: prepared.installed };
  const request = async (query: { readonly check?: true; readonly disabled?: true }): Promise<ChangeAnswer> => {
    if (wanted.action === 'install') {
      return (await callRoute('POST', '/api/platform/plugins/install', { query, body }, context)).data;
    }
    const upgrade = { path: { id: wanted.plugin }, query, body };
    return (await callRoute('POST', '/api/platform/plugins/{id}/upgrade', upgrade, context)).data;
  };
  const { report } = await request({ check: true });
  if (report === undefined) throw new Error('the check has no report');
  const apply = (enabled: boolean): Promise<ChangeAnswer> => request(enabled ? {} : { disabled: true });
  return { ...prepared, report, apply };
}

async function fetchHere(
  context: CommandContext,
  wanted: Wanted,
): Promise<(PreparedPackage & { readonly replaces?: string }) | { readonly newest: string }> {
  const settings = settingsOf(context);
  const { home, project } = settings;
  return interruptible('Nothing was changed.', async (signal) => {
    const options = { home, project, environment: context.environment, by: userName(), signal };
    if (wanted.action === 'upgrade') return prepareUpgrade(settings, wanted.plugin, wanted.to, options);
    const prepared = await preparePackage(wanted.source, options);
    await planInstall(settings, prepared, true);
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
  prepared: PreparedPackage,
  enabled: boolean,
): Promise<ChangeAnswer> {
  const settings = settingsOf(context);
  const { plugin } = prepared;
  const now = new Date().toISOString();
  const change = { id: plugin, action, plugins: [plugin], phase: 'done', requestedAt: now, since: now } as const;
  if (action === 'install') await installPackage(settings, prepared, enabled);
  else if ((await upgradePackage(settings, prepared)).isSame) return { takesEffect: 'next-start', change: null };
  return { takesEffect: 'next-start', change };
}
