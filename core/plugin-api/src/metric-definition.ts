import type { MetricLabels } from './metrics';
import type { ServiceContext } from './plugin-context';

/**
 * Something that the plugin measures. `/metrics` shows it as `gantry_plugin_<id>_<name>`, where `-` of the id is `_`.
 * @example { name: 'bookings_total', kind: 'counter', help: 'Booked seats.', labels: { level: ['BEGINNER', 'EXPERT'] } }
 * @public
 */
export interface MetricDefinition {
  /** `[a-z][a-z0-9_]{0,59}`; by convention, the name of a counter ends with `_total`, others with their unit. */
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** A sentence that says what the value is. */
  readonly help: string;
  /**
   * Labels with all the values that they have, so that the number of series is known: at most 100 combinations. Another value is
   * counted as `other`.
   */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Of a histogram: upper bounds in rising order, 20 at most. Those for times in seconds from 0.005 to 10 unless given. */
  readonly buckets?: readonly number[];
  /**
   * Of a gauge: its value whenever `/metrics` is read, within one second; with labels, one value for each combination. Without an
   * answer, the gauge has no value.
   */
  read?(context: ServiceContext): Promise<number | readonly MetricValue[]>;
}

/** @public */
export interface MetricValue {
  readonly labels: MetricLabels;
  readonly value: number;
}
