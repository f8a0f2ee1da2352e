import type { PluginReport, PluginSetReport } from '@gantry/contracts';
import { withTimeout, describeHold, truncate, type Hold } from '@gantry/core-common';
import type { PluginHealth } from '@gantry/plugin-api';
import type { HealthPart } from '../ports/health-part';
import type { ChangeLag, WriteState } from '@gantry/core-database';

/** The phase of the host's lifecycle. */
export type HostPhase = 'starting' | 'ready' | 'draining';

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'starting' | 'draining' | 'unavailable';
  readonly parts: readonly HealthPart[];
}

/** Asks one part how it is; must not reject. */
export type HealthCheck = () => Promise<readonly HealthPart[]>;

export interface Health {
  readiness(): Promise<Readiness>;
}

const cachedForMs = 1000;

/** Answers are kept for a second, so that a probe cannot become a load. */
export function createHealth(readPhase: () => HostPhase, checks: readonly HealthCheck[]): Health {
  let known: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  return {
    readiness() {
      const now = Date.now();
      if (known === undefined || now - known.at >= cachedForMs) {
        known = { at: now, answer: readParts(readPhase, checks) };
      }
      return known.answer;
    },
  };
}

/** HTTP status of a readiness answer. */
export function readinessStatus(readiness: Readiness): 200 | 503 {
  return readiness.status === 'ready' || readiness.status === 'degraded' ? 200 : 503;
}

async function readParts(readPhase: () => HostPhase, checks: readonly HealthCheck[]): Promise<Readiness> {
  const parts = (await Promise.all(checks.map((check) => check()))).flat();
  const phase = readPhase();
  if (phase !== 'ready') return { status: phase, parts };
  if (parts.some((part) => part.status === 'down')) return { status: 'unavailable', parts };
  return { status: parts.some((part) => part.status === 'degraded') ? 'degraded' : 'ready', parts };
}

const writeMessages = {
  'read-only': 'The database is read-only: reads work, writes get 503.',
  full: 'The disk of the database is full: reads work, writes get 503.',
} as const satisfies Readonly<Record<Exclude<WriteState, 'writable'>, string>>;

/** A database that accepts no writes degrades the platform, since reads still work. */
export function databaseCheck(readWriteState: () => Promise<WriteState>): HealthCheck {
  return async () => {
    try {
      const state = await readWriteState();
      if (state === 'writable') return [{ name: 'database', status: 'up' }];
      return [{ name: 'database', status: 'degraded', message: writeMessages[state] }];
    } catch {
      return [{ name: 'database', status: 'down', message: 'PostgreSQL does not answer.' }];
    }
  };
}

/** A host that cannot load the plugin set of the database serves its own, or what it has of that set. */
export function pluginSetCheck(read: () => PluginSetReport | undefined): HealthCheck {
  return () => {
    const { behind, generation } = read() ?? {};
    if (behind?.error === undefined) return Promise.resolve([]);
    const { message, remedy } = behind.error;
    const kept =
      generation === behind.generation
        ? `This host runs generation ${generation} of the plugin set without some of its packages`
        : `This host runs generation ${generation} of the plugin set, and the database has ${behind.generation}`;
    return Promise.resolve([{ name: 'plugin set', status: 'degraded', message: `${kept}: ${message} ${remedy}` }]);
  };
}

/** Below that, a transaction is at work. */
const shownLagSeconds = 5;

/** Readers that are behind get everything later: that degrades nothing. A database that does not answer has its own part. */
export function changesCheck(readLag: () => Promise<ChangeLag | undefined>): HealthCheck {
  return async () => {
    const lag = await readLag().catch(() => null);
    if (lag === null) return [];
    const isShown = lag !== undefined && (lag.seconds === undefined || lag.seconds >= shownLagSeconds);
    return [{ name: 'changes', status: 'up', ...(isShown ? { message: describeLag(lag) } : {}) }];
  };
}

function describeLag({ seconds, pid, name }: ChangeLag): string {
  const who = pid === undefined ? `the prepared transaction "${name}"` : `a transaction of "${name}" (process ${pid})`;
  const age = seconds === undefined ? 'an age that the database user may not see' : `${Math.round(seconds)} s`;
  const end = pid === undefined ? 'COMMIT PREPARED or ROLLBACK PREPARED' : `pg_terminate_backend(${pid})`;
  return (
    `Readers of the change feed wait for ${who}, which has been open for ${age} and may still write. ` +
    `Later changes are delivered when it ends; if it hangs, end it with ${end}.`
  );
}

/** A home that is on hold serves content and does no work. */
export function holdCheck(hold: () => Hold | undefined): HealthCheck {
  return () => {
    const found = hold();
    return Promise.resolve(
      found === undefined ? [] : [{ name: 'hold', status: 'degraded', message: describeHold(found) }],
    );
  };
}

/** Milliseconds that a health check of a plugin may take. */
const answerTimeoutMs = 2_000;

/**
 * A plugin that is quarantined degrades the platform, as does one that runs and says that it is not well; a disabled one
 * is as the administrator wants it.
 * @param askPlugin how a plugin that runs sees itself; undefined when it does not say
 */
export function pluginsCheck(
  reports: () => readonly PluginReport[],
  checkPlugin: (id: string) => Promise<PluginHealth> | undefined,
): HealthCheck {
  const partsOf = async ({ id, state, problems }: PluginReport): Promise<readonly HealthPart[]> => {
    const name = `plugin ${id}`;
    const runs = state === 'started' || state === 'stopped';
    if (state === 'started') return healthOfPlugin(name, () => checkPlugin(id));
    const reason = problems[0]?.reason;
    return [{ name, status: runs ? 'up' : 'degraded', ...(reason === undefined ? {} : { message: reason }) }];
  };
  return async () => {
    const shown = reports().filter(({ state }) => state !== 'disabled');
    return (await Promise.all(shown.map(partsOf))).flat();
  };
}

const healthy: PluginHealth = { status: 'up' };

const maxParts = 20;
const maxNameLength = 60;

/** One plugin that is down leaves the platform up: the rest is served. */
async function healthOfPlugin(
  name: string,
  checkPlugin: () => Promise<PluginHealth> | undefined,
): Promise<readonly HealthPart[]> {
  const late = new Error('The health check of the plugin did not finish in time.');
  try {
    const { parts = [], ...whole } = await withTimeout<PluginHealth>(
      answerTimeoutMs,
      () => checkPlugin() ?? healthy,
      () => late,
    );
    const own = parts.slice(0, maxParts).map((part) => partOf(`${name}: ${truncate(part.name, maxNameLength)}`, part));
    return [partOf(name, whole), ...own];
  } catch (error) {
    const message = error === late ? late.message : 'The health check of the plugin failed.';
    return [{ name, status: 'degraded', message }];
  }
}

function partOf(name: string, { status, message }: Pick<HealthPart, 'status' | 'message'>): HealthPart {
  return { name, status: status === 'up' ? 'up' : 'degraded', ...(message === undefined ? {} : { message }) };
}
