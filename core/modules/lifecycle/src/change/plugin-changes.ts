import type { DetailCode, PluginCheckReport, PluginDecision } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import type { CheckOptions } from '../check/check-options';
import { checkPlugins } from '../check/check-plugins';
import { isSettled } from '../common/is-settled';
import type { Generations } from '../common/generations';
import { newChange } from '../common/new-change';
import { disabled, neededBy, planDisable, readDecisions } from '@gantry/core-loader';
import type { SharedPluginSet } from '../plugin-set/shared-plugin-set';
import { asRequestError, refuseChecked } from './change-errors';
import { createPackageChanges, type PackageChanges, type PackageChangesDependencies } from './package-changes';
import { unchanged, type PluginChangeAnswer } from './plugin-change-answer';

/** Changes of the plugin set of a running platform. */
export interface PluginChanges {
  /** @throws GantryError PLUGIN_NOT_FOUND */
  check(id: string): Promise<PluginCheckReport>;
  /** @throws GantryError PLUGIN_NOT_FOUND, PLUGIN_CHECK_FAILED, PLUGIN_SET_CHANGED */
  enable(id: string): Promise<PluginChangeAnswer>;
  /** @throws GantryError PLUGIN_NOT_FOUND, PLUGIN_REQUIRED, PLUGIN_NEEDED unless the dependents are to be disabled, too */
  disable(id: string, withDependents: boolean): Promise<PluginChangeAnswer>;
  readonly packages: PackageChanges;
}

export interface PluginChangesOptions extends Pick<CheckOptions, 'config' | 'environment' | 'program'> {
  readonly generations: Generations;
  readonly set: Pick<SharedPluginSet, 'reserve' | 'change'>;
  /** Ids of the plugins that this process runs. */
  readonly running: () => readonly string[];
}

/** The change is stored only when it has proved itself: the new generation stores the decisions when it is ready. */
export function createPluginChanges(options: PluginChangesOptions): PluginChanges {
  const { config, environment, program, generations, running } = options;
  const checkOne = (id: string) => checkPlugin({ config, environment, program }, id);
  const begin = createBegin(options);
  // A request that arrives while an earlier one is being checked must not overtake it.
  const inOrder = createQueue();
  const nothing = (): PluginChangeAnswer => unchanged(generations.report().changesTakeEffect);
  const enable: PluginChanges['enable'] = async (id) => {
    const { report, decisions } = await checkOne(id);
    if (report.outcome === 'problem') throw refuseChecked(report);
    const known = await asRequestError(() => readDecisions(config.home));
    const isAlreadyDone =
      isSettled(generations.report()) && isSame(known.get(id), decisions.get(id)) && running().includes(id);
    return { ...(isAlreadyDone ? nothing() : await begin('enable', decisions)), report };
  };
  const disable: PluginChanges['disable'] = async (id, withDependents) => {
    const { dependents, isDisabled } = await asRequestError(() => planDisable(config, id));
    if (isSettled(generations.report()) && isDisabled && !running().includes(id)) return nothing();
    if (dependents.length > 0 && !withDependents) throw refuseNeeded(id, dependents);
    const decided = await asRequestError(() => readDecisions(config.home));
    return begin('disable', new Map([id, ...dependents].map((one) => [one, disabled(decided.get(one))])));
  };
  return {
    check: async (id) => (await checkOne(id)).report,
    enable: (id) => inOrder(() => enable(id)),
    disable: (id, withDependents) => inOrder(() => disable(id, withDependents)),
    packages: createPackageChanges({ config, environment, program, generations, inOrder, begin }),
  };
}

/** Requests a change, or stores it for the next start. */
function createBegin({ generations, set }: PluginChangesOptions): PackageChangesDependencies['begin'] {
  return async (action, decisions) => {
    const takesEffect = generations.report().changesTakeEffect;
    const change = newChange(action, [...decisions.keys()], { phase: takesEffect === 'at-once' ? 'waiting' : 'done' });
    if (takesEffect === 'next-start') {
      await asRequestError(() => set.change(decisions));
      return { takesEffect, change };
    }
    const text = `${action} ${change.plugins.join(', ')}`;
    await asRequestError(() => set.reserve(text, !isSettled(generations.report())));
    generations.request(change, Object.fromEntries(decisions));
    return { takesEffect, change };
  };
}

async function checkPlugin(options: CheckOptions, id: string) {
  const { reports, decisions } = await asRequestError(() => checkPlugins(options, [id]));
  const [report] = reports;
  if (report === undefined) throw new GantryError('PLUGIN_NOT_FOUND', `There is no plugin ${id}`);
  return { report, decisions };
}

function refuseNeeded(id: string, dependents: readonly string[]): GantryError {
  return new GantryError('PLUGIN_NEEDED', `${neededBy(id, dependents)}.`, {
    details: dependents.map((path) => ({
      path,
      code: 'NEEDS_IT' satisfies DetailCode,
      message: `${path} would also have to be disabled`,
    })),
  });
}

/** Runs one piece of work after the other, also when an earlier one failed. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

function isSame(first: PluginDecision | undefined, second: PluginDecision | undefined): boolean {
  if (!first?.enabled || !second?.enabled) return false;
  return first.version === second.version && first.contentHash === second.contentHash;
}
