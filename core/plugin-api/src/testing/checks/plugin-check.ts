import type { Bench } from '../bench';

/** One point of the contract, with a name that says what holds. */
export interface PluginCheck {
  readonly name: string;
  /** Rejects with a message for the author when it does not hold. */
  readonly run: (bench: Bench) => Promise<void>;
}
