import { GantryError } from '@gantry/plugin-api';
import { countingProofs, createAttemptLimit } from '../../src/exchange/attempt-limit';

describe('an attempt', () => {
  it.each([
    ['UNAVAILABLE', 'fulfilled'],
    ['FORBIDDEN', 'rejected'],
  ] as const)('that ends with %s leaves the next one %s', async (code, outcome) => {
    const limit = createAttemptLimit(1, 60_000);
    await limit.begin('ann');
    const proof = countingProofs([[limit, 'ann']], () => Promise.reject(new GantryError(code, 'Not now.')));

    await expect(proof).rejects.toMatchObject({ code });

    const [next] = await Promise.allSettled([limit.begin('ann')]);
    expect(next.status).toBe(outcome);
  });
});
