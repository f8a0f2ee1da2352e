import type { CompiledItemType, Scope } from '@gantry/core-content';
import type { Position } from '@gantry/core-database';

/** A change, ready to be sent. */
export interface ChangeText {
  readonly position: Position;
  /** Type code. */
  readonly type: string;
  /** ItemChange of the contracts. */
  readonly json: string;
}

/** A page of the feed. */
export interface ChangePage {
  /** In order. */
  readonly changes: readonly ChangeText[];
  /** After which the next page begins. */
  readonly next: Position;
  /** Whether there was a change behind it. */
  readonly hasMore: boolean;
}

/** The change feed, in the scope of who asks: what the policy hides is in no answer. */
export interface ChangesPort {
  /**
   * The changes behind a position, in the order in which they became visible, without gaps.
   * @param types all that the scope sees unless given
   */
  after(scope: Scope, position: Position, limit: number, types?: readonly CompiledItemType[]): Promise<ChangePage>;
  /** The end of the feed. */
  last(): Promise<Position>;
  /** @throws GantryError BAD_REQUEST for a position that the feed has not reached, such as one of another database */
  assertReached(parameter: string, position: Position): Promise<void>;
}
