import type { CrashAttribution } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { guardIntrinsics, type IntrinsicsChange } from './guard-intrinsics';

/** Restores built-in objects whenever code of a plugin has run, and reports the plugin that changed them. */
export interface IntrinsicsProtection {
  /** Cheap; what is added to prototypes and not enumerable is left to the other two. */
  afterSlice(plugin: string): void;
  /** Polyfills that a plugin brings are kept. */
  afterPhase(plugin: string): void;
  /** To be called regularly while no phase runs. */
  checkAll(): void;
  /** The plugin that changed built-in objects just now. */
  suspect(): CrashAttribution | undefined;
}

/** An error that comes within this time of a change may be a consequence of it. */
const suspectMs = 1_000;

/** @param crash called when something cannot be restored, so that this process would keep running with it */
export function protectIntrinsics(
  logger: Logger,
  crash: (error: Error, attribution: CrashAttribution | undefined) => void,
): IntrinsicsProtection {
  const guard = guardIntrinsics();
  const now = performance.now.bind(performance);
  /** Plugins whose code ran since everything was checked last. */
  let ran = new Set<string>();
  let last: { readonly attribution: CrashAttribution; readonly at: number } | undefined;
  const logOnce = createLogOnce(logger);
  const report = (plugin: string | undefined, change: IntrinsicsChange | undefined): void => {
    if (change === undefined) return;
    const attribution = plugin === undefined ? undefined : attributeChange(plugin, change);
    if (attribution !== undefined) last = { attribution, at: now() };
    logOnce(plugin, change);
    if (change.permanent.length === 0) return;
    crash(new Error(`${listNames(change.permanent)} cannot be restored in this process`), attribution);
  };
  return {
    afterSlice: (plugin) => {
      ran.add(plugin);
      if (!guard.isIntact()) report(plugin, guard.restore('enumerable'));
    },
    afterPhase: (plugin) => report(plugin, guard.restore('keep')),
    checkAll: () => {
      const change = guard.restore('all');
      const [only, ...others] = ran;
      if (ran.size > 0) ran = new Set();
      report(others.length === 0 ? only : undefined, change);
    },
    suspect: () => (last !== undefined && now() - last.at < suspectMs ? last.attribution : undefined),
  };
}

function attributeChange(plugin: string, { replaced, added }: IntrinsicsChange): CrashAttribution {
  return { plugin, evidence: 'changed-built-ins', detail: listNames([...replaced, ...added]) };
}

/** A plugin may change the same at each request. */
function createLogOnce(logger: Logger): (plugin: string | undefined, change: IntrinsicsChange) => void {
  const logged = new Set<string>();
  return (plugin, change) => {
    const names = [...change.replaced, ...change.added];
    const key = [plugin, ...names].join('\n');
    if (logged.has(key)) return;
    logged.add(key);
    logger.error({ plugin, names }, describeChange(plugin, change));
  };
}

function describeChange(plugin: string | undefined, { replaced, added }: IntrinsicsChange): string {
  const who = plugin === undefined ? 'A plugin' : `The plugin ${plugin}`;
  const what = [
    ...(replaced.length === 0 ? [] : [`replaced ${listNames(replaced)}`]),
    ...(added.length === 0 ? [] : [`added ${listNames(added)}`]),
  ].join(' and ');
  return `${who} ${what}, which all plugins share. The platform has reverted the change, and reverts further changes without another message. Fix the plugin: it must not change built-in objects.`;
}

/** As many as a person reads. */
const maxNames = 8;

function listNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
