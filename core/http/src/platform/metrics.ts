import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { withTimeout } from '@gantry/core-common';
import { readChangeLag, type HostDatabase } from '@gantry/core-database';
import type { FunctionFailures } from '@gantry/core-content';

/** Metrics of the host, in the format of Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** Times a request until its answer is sent. */
  observe(request: IncomingMessage, response: ServerResponse): void;
}

interface Routed {
  readonly route?: { readonly path?: unknown };
}

export function createMetrics(
  database: Pick<HostDatabase, 'usage' | 'query'>,
  functions: Pick<FunctionFailures, 'list'>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'gantry_http_request_duration_seconds',
    help: 'Time from the request head to the end of the response, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  addPoolGauge(registry, database);
  addLagGauge(registry, database);
  addFunctionCounter(registry, functions);
  const observerOf = rememberObservers(duration);
  return {
    registry,
    observe(request, response) {
      const started = performance.now();
      response.once('close', () => {
        const path = (request as Routed).route?.path;
        const route = typeof path === 'string' ? path : 'other';
        observerOf(request.method ?? '', route, response.statusCode).observe((performance.now() - started) / 1000);
      });
    },
  };
}

type Observer = Pick<Histogram.Internal<string>, 'observe'>;

/** Finding the observer of a set of labels costs more than observing; there are few sets. */
function rememberObservers(
  duration: Histogram<'method' | 'route' | 'status'>,
): (method: string, route: string, status: number) => Observer {
  const known = new Map<string, Observer>();
  return (method, route, status) => {
    const key = `${method} ${status} ${route}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const added = duration.labels(method, route, String(status));
    known.set(key, added);
    return added;
  };
}

function addPoolGauge(registry: Registry, database: Pick<HostDatabase, 'usage'>): void {
  const gauge = new Gauge({
    name: 'gantry_database_connections',
    help: 'Connections to PostgreSQL by pool and state.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, usage] of Object.entries(database.usage())) {
        for (const [state, count] of Object.entries(usage)) gauge.set({ pool, state }, Number(count));
      }
    },
  });
}

/** Milliseconds that other metrics wait for a database that does not answer. */
const lagTimeoutMs = 1_000;

function addLagGauge(registry: Registry, database: Pick<HostDatabase, 'query'>): void {
  const gauge = new Gauge({
    name: 'gantry_changes_lag_seconds',
    help: 'Age of the oldest transaction that may still write; readers of the change feed stop behind it.',
    registers: [registry],
    async collect() {
      gauge.remove();
      try {
        const late = (): Error => new Error('PostgreSQL does not answer in time.');
        const lag = await withTimeout(lagTimeoutMs, () => readChangeLag(database), late);
        const seconds = lag === undefined ? 0 : lag.seconds;
        if (seconds !== undefined) gauge.set(seconds);
      } catch {
        // Without a value: nothing is known.
      }
    },
  });
}

function addFunctionCounter(registry: Registry, functions: Pick<FunctionFailures, 'list'>): void {
  const counter = new Counter({
    name: 'gantry_function_failures_total',
    help: 'Rows for which a searchResult or computed field of an item type failed; they have the default label or null.',
    labelNames: ['plugin', 'type', 'function'],
    registers: [registry],
    collect() {
      counter.reset();
      for (const { plugin, type, name, rows } of functions.list()) counter.inc({ plugin, type, function: name }, rows);
    },
  });
}
