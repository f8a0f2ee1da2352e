import type { ItemChange } from '@gantry/contracts';
import type { TypesInUse } from './absent-types';
import type { Deliverable } from './delivery-schedule';
import type { Position } from '@gantry/core-database';

/** A change as it is delivered. */
export interface FeedChange extends Deliverable {
  readonly change: ItemChange;
  /** The same as JSON text, with all digits of its numbers. */
  readonly json: string;
}

export interface FeedPage {
  readonly changes: readonly FeedChange[];
  /** Up to which the feed was read. */
  readonly next: Position;
  readonly hasMore: boolean;
}

/** The change feed as subscriptions read it: with all rights, in the order in which changes became visible, without gaps. */
export interface Feed {
  /** @param types type codes; all when empty */
  read(after: Position, limit: number, types: readonly string[]): Promise<FeedPage>;
  /** The change of that position; undefined when it was removed, or its type is not in use. */
  at(position: Position): Promise<FeedChange | undefined>;
  /** The last position behind which nothing is visible now. */
  end(): Promise<Position>;
  /** @throws GantryError BAD_REQUEST for a position that the feed has not reached */
  assertReached(parameter: string, position: Position): Promise<void>;
  /** The position behind which the changes since a time begin. */
  positionAt(time: Date): Promise<Position>;
  /** The changes behind each of the positions. */
  backlogs(places: readonly FeedPlace[]): Promise<readonly Backlog[]>;
  /** Whether the plugin of the type is in use; else its changes wait. */
  isRead(type: string): boolean;
  /** Whether the type is in use and has the field, which may be the author. */
  hasField(type: string, field: string): boolean;
  /** @param types type codes; all when empty */
  typesInUse(types: readonly string[]): TypesInUse;
  /** Codes of the types that changed between two positions; undefined when there are too many changes to look through. */
  typesBetween(after: Position, upTo: Position): Promise<ReadonlySet<string> | undefined>;
}

/** Up to where somebody has read the changes of some types. */
export interface FeedPlace {
  readonly position: Position;
  /** Type codes; all when empty. */
  readonly types: readonly string[];
}

/** Changes that somebody has not read yet. */
export interface Backlog {
  /** At most 1,000. */
  readonly count: number;
  /** When the oldest one was made, in ISO 8601; null without any. */
  readonly since: string | null;
}
