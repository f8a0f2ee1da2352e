/**
 * The state of the embedded Temporal that the launcher (`gantry up`) runs. Kept in a file that hosts read while
 * Temporal does not answer; its path is in `GANTRY_TEMPORAL_STATE`.
 * @internal
 */
export interface EmbeddedTemporalState {
  /** `obtaining`: it is being downloaded; `missing`: it is not to be had; `failed`: it is there and does not start. */
  readonly state: 'obtaining' | 'missing' | 'starting' | 'failed' | 'running';
  /** A sentence for a person. */
  readonly message: string;
  /** The remedy, or the next automatic step. */
  readonly remedy: string;
}
