import type { BulkOutcome } from '@gantry/core-content';
import type { Draft } from './draft';
import type { Match } from './match-drafts';

/** How often an item is matched again that others create and remove at the same time. */
const attempts = 3;

/**
 * New items of an import that others have created between the search for the key and the statement that inserts: they are to
 * be matched again, which finds and changes them now. The statement has waited for the other transaction to end.
 */
export class Rematches {
  private readonly keys: ReadonlySet<string>;
  private readonly counts = new Map<Draft, number>();

  constructor(match: Match) {
    this.keys = new Set(match.by === 'fields' ? match.fields.map(({ name }) => name) : []);
  }

  /** The drafts that were refused only because another item has their key. The rest of the outcomes stay as they are. */
  take(drafts: readonly Draft[], outcomes: readonly BulkOutcome[]): readonly Draft[] {
    return drafts.filter((draft, index) => {
      if (!this.isKeyTaken(outcomes[index])) return false;
      const count = (this.counts.get(draft) ?? 0) + 1;
      this.counts.set(draft, count);
      return count <= attempts;
    });
  }

  private isKeyTaken(outcome: BulkOutcome | undefined): boolean {
    if (outcome?.status !== 'refused' || outcome.problems.some(({ code }) => code !== 'NOT_UNIQUE')) return false;
    // A model of a plugin's author reports the first field of the key alone.
    const { collision, problems } = outcome;
    if (collision === undefined) return problems.every(({ path }) => this.keys.has(path));
    return collision.fields.length === this.keys.size && collision.fields.every((name) => this.keys.has(name));
  }
}
