import { hostname } from 'node:os';
import type { SuccessorWatch } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { isSettled } from '../../common/is-settled';
import { actionOf, newChange } from '../../common/new-change';
import { disabled, PluginError, readCopy, toObject } from '../../plugins';
import type { SharedPluginSet } from '../../plugin-set/shared-plugin-set';
import type { Generations } from '../../common/generations';
import type { ChangeFailure } from './judge-change';

export interface UndoDependencies {
  readonly home: string;
  readonly set: Pick<SharedPluginSet, 'reserve' | 'running'>;
  readonly generations: Generations;
  readonly logger: Logger;
}

/**
 * Takes back a change that this host has made or followed, by another one: the host that runs the plugins from before starts while this one serves.
 * @returns false while another change is under way, also one of another host
 */
export async function undoChange(
  { home, set, generations, logger }: UndoDependencies,
  { id, plugins }: SuccessorWatch,
  { code, plugin, reason }: ChangeFailure,
): Promise<boolean> {
  if (!isSettled(generations.report())) return false;
  const copy = readCopy(home);
  // Another change has been stored since, which counts.
  if (copy?.previous === undefined || copy.revision !== set.running()?.revision) return true;
  const { previous, decisions: current } = copy;
  const decisions = new Map(plugins.map((one) => [one, previous.get(one) ?? disabled(current.get(one))] as const));
  try {
    await set.reserve(`undo the change of ${plugins.join(', ')}`, decisions, false);
  } catch (error) {
    if (error instanceof PluginError && error.code === 'PLUGIN_SET_CHANGED') return false;
    throw error;
  }
  const error = {
    code,
    message: `The change was undone: the plugin "${plugin}" ${reason}, on the host ${hostname()}.`,
    remedy: 'Fix the plugin, then enable it again.',
  };
  logger.error(
    { code, plugin, change: id },
    `the plugin "${plugin}" ${reason}; the plugins before the change are used again`,
  );
  const change = newChange(actionOf(decisions), [...decisions.keys()], { undoes: id });
  generations.request(change, toObject(decisions), undefined, { undoes: { id, error } });
  return true;
}
