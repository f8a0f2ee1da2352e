/** Values of labels by name. @public */
export type MetricLabels = Readonly<Record<string, string>>;

/**
 * Records values of the metrics that the plugin declares. A wrong name, label or number changes nothing and is logged: what is measured
 * never fails for it.
 * @public
 */
export interface Metrics {
  /** Adds to a counter: 1 unless given, never less than 0. */
  add(name: string, amount?: number, labels?: MetricLabels): void;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: MetricLabels): void;
  /** Adds a value to a histogram. */
  observe(name: string, value: number, labels?: MetricLabels): void;
}
