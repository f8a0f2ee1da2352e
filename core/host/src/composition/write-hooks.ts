import { AsyncLocalStorage } from 'node:async_hooks';
import { isJsonObject, withTimeout } from '@gantry/core-common';
import {
  GantryError,
  isGantryError,
  type Logger,
  type PluginDefinition,
  type WriteDecision,
  type WriteHookDefinition,
} from '@gantry/plugin-api';
import type { TypeHooks, WriteHooks } from '@gantry/core-content';

/** Milliseconds that others may wait for an item because of one hook. */
const beforeMs = 1_000;
const afterMs = 10_000;

/** Rows of which a plugin is notified at once. */
const maxNotifying = 16;

/** Hooks may write items for which hooks are asked; one that is asked for what it writes itself would never end. */
const maxDepth = 5;

/** How many hooks the code that runs is within. */
const depth = new AsyncLocalStorage<number>();

type Committed = Parameters<TypeHooks['after'][number]>[0];

export interface WriteHookOptions {
  readonly plugins: readonly { readonly definition: Pick<PluginDefinition, 'id' | 'writeHooks'> }[];
  /** Whether the plugin of that id is in use. */
  isServed(plugin: string): boolean;
  /** Runs code of a plugin. */
  enter<T>(plugin: string, code: () => T): T;
  readonly logger: Pick<Logger, 'warn'>;
}

interface OwnedHook {
  readonly plugin: string;
  readonly hook: WriteHookDefinition;
  /** Committed writes of which it is still to be notified. */
  readonly waiting: Set<() => Promise<void>>;
  /** How many notifications run. */
  running: number;
}

/** The hooks of plugins that are in use, by the types that they name, in the order of the plugins. */
export function createWriteHooks(options: WriteHookOptions): WriteHooks {
  const byType = new Map<string, OwnedHook[]>();
  for (const { definition } of options.plugins) {
    for (const hook of definition.writeHooks ?? []) {
      const owned: OwnedHook = { plugin: definition.id, hook, waiting: new Set(), running: 0 };
      for (const type of new Set(hook.types)) {
        byType.set(type, [...(byType.get(type) ?? []), owned]);
      }
    }
  }
  return {
    of(code) {
      const hooks = byType.get(code)?.filter(({ plugin }) => options.isServed(plugin)) ?? [];
      return hooks.length === 0 ? undefined : hooksOf(options, hooks);
    },
  };
}

function hooksOf(options: WriteHookOptions, hooks: readonly OwnedHook[]): TypeHooks {
  return {
    before: hooks.flatMap((owned) =>
      owned.hook.beforeWrite === undefined ? [] : (write) => askBefore(options, owned, write),
    ),
    after: hooks.flatMap((owned) =>
      owned.hook.afterWrite === undefined ? [] : (write) => enqueue(options, owned, write),
    ),
  };
}

/** @throws GantryError UNAVAILABLE for a hook that fails or is too slow */
async function askBefore(
  { enter, logger }: WriteHookOptions,
  { plugin, hook }: OwnedHook,
  write: Parameters<TypeHooks['before'][number]>[0],
): Promise<WriteDecision> {
  const ended = new AbortController();
  try {
    const pending = Object.freeze({ ...write, signal: ended.signal });
    const ask = async (): Promise<unknown> => within(() => enter(plugin, () => hook.beforeWrite?.(pending)));
    return readDecision(await withTimeout(beforeMs, ask, () => new Error(`It did not decide within ${beforeMs} ms.`)));
  } catch (error) {
    if (isGantryError(error)) throw error;
    const { type, id } = write;
    logger.warn({ plugin, type, item: id, err: error }, 'a hook of a plugin failed before a write, which was not made');
    throw new GantryError(
      'UNAVAILABLE',
      `Nothing was written: the plugin ${plugin}, whose write hook runs before ${type} is written, has failed. The log of the platform has the cause.`,
      { cause: error, headers: { 'Retry-After': '1' } },
    );
  } finally {
    ended.abort();
  }
}

/** @throws Error within too many hooks */
function within<T>(code: () => T): T {
  const outer = depth.getStore() ?? 0;
  if (outer < maxDepth) return depth.run(outer + 1, code);
  throw new Error(`Hooks write items for which hooks are asked again, ${maxDepth} times within each other.`);
}

/** Plain JavaScript may give anything. */
function readDecision(decision: unknown): WriteDecision {
  if (decision === undefined || decision === null) return {};
  if (!isJsonObject(decision)) throw new TypeError('beforeWrite must return an object or undefined.');
  const { values = {}, problems = [] } = decision;
  if (!isJsonObject(values)) throw new TypeError('values of beforeWrite must be an object.');
  // Copies, as a getter is code of the plugin.
  if (Array.isArray(problems)) return { values: { ...values }, problems: problems.map(readProblem) };
  throw new TypeError('problems of beforeWrite must be a list.');
}

function readProblem(problem: unknown): NonNullable<WriteDecision['problems']>[number] {
  const { field, message } = isJsonObject(problem) ? problem : {};
  if (typeof field === 'string' && typeof message === 'string') return { field, message };
  throw new TypeError('problems of beforeWrite must be objects with field and message.');
}

function enqueue(options: WriteHookOptions, owned: OwnedHook, write: Committed): void {
  const outer = depth.getStore() ?? 0;
  owned.waiting.add(() => depth.run(outer, () => reportAfter(options, owned, write)));
  if (owned.running < maxNotifying) void notifyAll(owned);
}

async function notifyAll(owned: OwnedHook): Promise<void> {
  owned.running += 1;
  for (const notify of owned.waiting) {
    owned.waiting.delete(notify);
    await notify();
  }
  owned.running -= 1;
}

async function reportAfter(
  { enter, logger, isServed }: WriteHookOptions,
  { plugin, hook }: OwnedHook,
  write: Committed,
): Promise<void> {
  if (!isServed(plugin)) return;
  try {
    const report = async (): Promise<void> =>
      within(() => enter(plugin, () => hook.afterWrite?.(Object.freeze(write))));
    await withTimeout(afterMs, report, () => new Error(`It did not end within ${afterMs / 1_000} s.`));
  } catch (error) {
    const { type, id } = write;
    logger.warn({ plugin, type, item: id, err: error }, 'a hook of a plugin failed after a write');
  }
}
