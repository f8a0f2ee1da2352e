import { createOpenPolicy } from '../../src/policy/open-policy';
import { userScope, type Scope } from '../../src/policy/scope';
import { declareType } from '../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';

let content: OpenTypes;
let scope: Scope;
beforeAll(async () => {
  content = await openTypes([declareType('Parcel', { code: {} })]);
  scope = userScope(createOpenPolicy(content.types), '7', 'test');
});
afterAll(() => content.close());

describe('a transaction that is aborted as it ends', () => {
  it('cancels no statement of the one that uses its connection afterwards', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const controller = new AbortController();
      const work = async () => {
        controller.abort(new Error('the client left'));
        return { keep: false, result: undefined };
      };
      // All is done by then, so that it may end either way.
      await Promise.allSettled([content.bulk.transaction(scope, work, controller.signal)]);

      const next = content.bulk.transaction(
        scope,
        async (bulk) => ({
          keep: true,
          result: await bulk.query<{ one: number }>('SELECT 1 AS one FROM pg_sleep(0.01)'),
        }),
        new AbortController().signal,
      );
      expect(await next).toEqual([{ one: 1 }]);
    }
  });
});
