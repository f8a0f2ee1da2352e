import { eventually } from '../../../../test/support/eventually';
import { createChangeHub, type ChangeHub } from '../src/change-hub';
import type { Position } from '@gantry/core-database';
import type { ChangePage } from '@gantry/core-http/ports';
import type { ChangeReader } from '../src/read-changes';
import { type Policy, userScope } from '@gantry/core-content';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';

const changes = 1_200;
const visible = 550;
const policy = {} as Policy;
const at = (sequence: number): Position => ['1', '1', String(sequence)];

/** A feed of which the policy shows one change. */
const reader: Pick<ChangeReader, 'after'> = {
  after: async (_scope, position, limit): Promise<ChangePage> => {
    const [, , from] = position.map(Number);
    const last = Math.min((from ?? 0) + limit, changes);
    const isIn = visible > (from ?? 0) && visible <= last;
    return {
      changes: isIn
        ? ([{ position: at(visible), type: 'book', json: String(visible) }] as unknown as ChangePage['changes'])
        : [],
      next: at(last),
      hasMore: last < changes,
    };
  },
};

describe('followers of one policy', () => {
  let hub: ChangeHub;
  beforeEach(() => {
    hub = createChangeHub({
      changes: reader as ChangeReader,
      onCommit: () => () => undefined,
      logger: createRecordedLogger(),
    });
  });
  afterEach(() => hub.close());

  /** @returns what it has seen */
  function follow(from: number): readonly string[] {
    const seen: string[] = [];
    hub.follow(at(from), {
      scope: userScope(policy, '1', 'request', undefined),
      types: undefined,
      onPage: (page) => {
        seen.push(...page.changes.map(({ position: [, , sequence] }) => sequence));
      },
      onLost: () => undefined,
    });
    return seen;
  }

  it.each([0, 300, 549])(
    'get what they miss from %i on, also behind a page that shows nothing, beside others at the end',
    async (from) => {
      follow(changes);
      const late = follow(from);

      await eventually(() => late.length > 0, 'it gets a change');
      expect(late).toEqual([String(visible)]);
    },
  );
});
