/** How much the tests of faults do. */
export interface FaultSize {
  /** Orders of the host test; each outcome in turn. */
  readonly hostOrders: number;
  /** How many rows are stored when the host is killed; the last one is below the number that all orders leave. */
  readonly hostKilledAtRows: readonly number[];
  /** At this one, the host that takes its place is killed as well, before it is ready. */
  readonly hostKilledTwiceAtRows: number;
  /** Orders of each other test; each outcome in turn. */
  readonly orders: number;
  readonly serverKilledAtRows: readonly number[];
  readonly allKilledAtRows: number;
  readonly workerKilledAtRows: number;
  /** How long orders that are not paid wait, in milliseconds. */
  readonly unpaidWaitMs: number;
}

/** `npm run prove faults` sets GANTRY_FAULTS_SIZE. The small size has to end within a minute. */
export const size: FaultSize =
  process.env['GANTRY_FAULTS_SIZE'] === 'full'
    ? {
        hostOrders: 100,
        hostKilledAtRows: [30, 110, 180, 240, 300],
        hostKilledTwiceAtRows: 110,
        orders: 20,
        serverKilledAtRows: [5, 30, 55],
        allKilledAtRows: 30,
        workerKilledAtRows: 30,
        unpaidWaitMs: 25_000,
      }
    : {
        hostOrders: 24,
        hostKilledAtRows: [12, 55],
        hostKilledTwiceAtRows: 12,
        orders: 10,
        serverKilledAtRows: [12],
        allKilledAtRows: 15,
        workerKilledAtRows: 15,
        unpaidWaitMs: 12_000,
      };
