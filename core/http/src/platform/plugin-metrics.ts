import { withTimeout } from '@gantry/core-common';
import type { Logger, MetricDefinition, MetricLabels, Metrics, ServiceContext } from '@gantry/plugin-api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The metrics of all plugins of a host. */
export interface PluginMetrics {
  /** Functions by which the code of a plugin records. */
  open(plugin: string, defined: readonly MetricDefinition[], logger: Logger): Metrics;
  /** Shows them. @param reading how gauges of a plugin that runs are read; undefined for one that does not run */
  addTo(registry: Registry, reading: (plugin: string) => Reading | undefined): void;
}

/** Enters the code of a plugin, with its context. */
export type Reading = <T>(code: (context: ServiceContext) => T) => T;

interface OpenMetric {
  readonly plugin: string;
  readonly definition: MetricDefinition;
  readonly shown: Counter | Gauge | Histogram;
  readonly logger: Logger;
  /** Of a gauge that is read. */
  read?: () => Promise<void>;
}

export function createPluginMetrics(): PluginMetrics {
  const all: OpenMetric[] = [];
  return {
    open(plugin, defined, logger) {
      const own = new Map(defined.map((definition) => [definition.name, openMetric(plugin, definition, logger)]));
      all.push(...own.values());
      const record = recorder(own, logger);
      return Object.freeze({
        add: (name: string, amount = 1, labels: MetricLabels = {}) => record('counter', name, amount, labels),
        set: (name: string, value: number, labels: MetricLabels = {}) => record('gauge', name, value, labels),
        observe: (name: string, value: number, labels: MetricLabels = {}) => record('histogram', name, value, labels),
      });
    },
    addTo(registry, reading) {
      const failures = new Counter({
        name: 'gantry_plugin_metric_failures_total',
        help: 'Gauges of plugins that could not be read.',
        labelNames: ['plugin', 'metric'],
        registers: [registry],
      });
      for (const metric of all) {
        const enter = reading(metric.plugin);
        if (enter === undefined) continue;
        if (registry.getSingleMetric(nameOf(metric)) !== undefined) {
          metric.logger.warn({ metric: nameOf(metric) }, 'a metric is not shown: another plugin has one of this name');
          continue;
        }
        if (metric.definition.read !== undefined) metric.read = reader(metric, enter, failures);
        registry.registerMetric(metric.shown);
      }
    },
  };
}

function openMetric(plugin: string, definition: MetricDefinition, logger: Logger): OpenMetric {
  const { kind, help, labels = {}, buckets } = definition;
  const options = { name: nameOf({ plugin, definition }), help, labelNames: Object.keys(labels), registers: [] };
  const shown = {
    counter: () => new Counter(options),
    gauge: () => new Gauge({ ...options, collect: async () => metric.read?.() }),
    histogram: () => new Histogram({ ...options, ...(buckets === undefined ? {} : { buckets: [...buckets] }) }),
  }[kind]();
  const metric: OpenMetric = { plugin, definition, shown, logger };
  return metric;
}

function nameOf({ plugin, definition }: Pick<OpenMetric, 'plugin' | 'definition'>): string {
  return `gantry_plugin_${plugin.replaceAll('-', '_')}_${definition.name}`;
}

type RecordValue = (kind: MetricDefinition['kind'], name: string, value: number, labels: MetricLabels) => void;

/** A wrong value is logged once for each metric, and throws nothing. */
function recorder(own: ReadonlyMap<string, OpenMetric>, logger: Logger): RecordValue {
  const refused = new Set<string>();
  const refuse = (name: string, problem: string): void => {
    if (refused.has(name) || refused.size >= maxRefused) return;
    refused.add(name);
    logger.warn({ metric: name }, `a value of a metric is not recorded: ${problem}`);
  };
  return (kind, name, value, labels) => {
    const metric = own.get(name);
    if (metric === undefined) return refuse(name, `the plugin declares ${[...own.keys()].join(', ') || 'no metrics'}`);
    if (metric.definition.kind !== kind) return refuse(name, `it is a ${metric.definition.kind}, not a ${kind}`);
    const least = kind === 'counter' ? 0 : -Infinity;
    if (!Number.isFinite(value) || value < least) return refuse(name, `it cannot have the value ${value}`);
    const known = knownLabels(metric.definition, labels);
    if (metric.shown instanceof Counter) metric.shown.inc(known, value);
    else if (metric.shown instanceof Gauge) metric.shown.set(known, value);
    else metric.shown.observe(known, value);
  };
}

const maxRefused = 100;

/** The labels that are declared, with values that are: the number of series is bounded. */
function knownLabels({ labels = {} }: MetricDefinition, given: MetricLabels): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, values]) => {
      const value = String(given[name] ?? '');
      return [name, values.includes(value) ? value : 'other'];
    }),
  );
}

/** Milliseconds that the other metrics wait for a gauge. */
const readTimeoutMs = 1_000;
const logIntervalMs = 60_000;

function reader({ plugin, definition, shown, logger }: OpenMetric, enter: Reading, failures: Counter) {
  let loggedAt = -Infinity;
  return async (): Promise<void> => {
    if (!(shown instanceof Gauge)) return;
    shown.reset();
    try {
      const late = (): Error => new Error(`it did not answer within ${readTimeoutMs / 1000} s`);
      const value = await withTimeout(readTimeoutMs, () => enter((context) => definition.read?.(context)), late);
      const values = typeof value === 'number' ? [{ labels: {}, value }] : (value ?? []);
      for (const { labels, value: each } of values) shown.set(knownLabels(definition, labels), each);
    } catch (error) {
      shown.reset();
      // A reset gives a gauge without labels the value 0.
      shown.remove({});
      failures.inc({ plugin, metric: definition.name });
      if (performance.now() - loggedAt < logIntervalMs) return;
      loggedAt = performance.now();
      logger.warn({ metric: definition.name, err: error }, 'a metric could not be read');
    }
  };
}
