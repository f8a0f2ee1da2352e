import type { PluginReport } from '@gantry/contracts';

/** Where the host stands in its life. */
export type LifePhase = 'starting' | 'ready' | 'draining';

export interface HealthPart {
  readonly name: string;
  readonly status: 'up' | 'degraded' | 'down';
  readonly message?: string;
}

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

/** Answers are kept for a second, so that a probe cannot become a load (decisions, "Configuration"). */
export function createHealth(life: () => LifePhase, checks: readonly HealthCheck[]): Health {
  let known: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  return {
    readiness() {
      const now = Date.now();
      if (known === undefined || now - known.at >= cachedForMs) known = { at: now, answer: ask(life, checks) };
      return known.answer;
    },
  };
}

/** HTTP status of a readiness answer. */
export function readinessStatus(readiness: Readiness): number {
  return readiness.status === 'ready' || readiness.status === 'degraded' ? 200 : 503;
}

async function ask(life: () => LifePhase, checks: readonly HealthCheck[]): Promise<Readiness> {
  const parts = (await Promise.all(checks.map((check) => check()))).flat();
  const phase = life();
  if (phase !== 'ready') return { status: phase, parts };
  if (parts.some((part) => part.status === 'down')) return { status: 'unavailable', parts };
  return { status: parts.some((part) => part.status === 'degraded') ? 'degraded' : 'ready', parts };
}

export function databaseCheck(ping: () => Promise<void>): HealthCheck {
  return async () => {
    try {
      await ping();
      return [{ name: 'database', status: 'up' }];
    } catch {
      return [{ name: 'database', status: 'down', message: 'PostgreSQL does not answer.' }];
    }
  };
}

/** A plugin that is quarantined degrades the platform; a disabled one is as the administrator wants it. */
export function pluginsCheck(reports: () => readonly PluginReport[]): HealthCheck {
  return async () =>
    reports()
      .filter((report) => report.state !== 'disabled')
      .map((report) => ({
        name: `plugin ${report.id}`,
        status: report.state === 'started' || report.state === 'stopped' ? 'up' : 'degraded',
        ...(report.problems[0] === undefined ? {} : { message: report.problems[0].reason }),
      }));
}
