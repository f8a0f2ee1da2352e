import { createWorthwhile } from '../../src/items/worthwhile';

/** How many attempts are left out before the next one is made. */
function leftOut(worthwhile: ReturnType<typeof createWorthwhile>, key: string): number {
  let count = 0;
  while (!worthwhile.isWorth(key)) count += 1;
  return count;
}

describe('attempts', () => {
  it('are left out more and more while they fail, at most 63 times in a row', () => {
    const worthwhile = createWorthwhile();
    const found = Array.from({ length: 8 }, () => {
      const count = leftOut(worthwhile, 'a');
      worthwhile.learn('a', false);
      return count;
    });
    expect(found).toEqual([0, 1, 3, 7, 15, 31, 63, 63]);
  });

  it('are made each time again after one that succeeded', () => {
    const worthwhile = createWorthwhile();
    for (let failure = 0; failure < 5; failure += 1) worthwhile.learn('a', false);
    expect(leftOut(worthwhile, 'a')).toBe(31);
    worthwhile.learn('a', true);
    expect([worthwhile.isWorth('a'), worthwhile.isWorth('a')]).toEqual([true, true]);
    worthwhile.learn('a', false);
    expect(leftOut(worthwhile, 'a')).toBe(1);
  });

  it('are told apart by their keys', () => {
    const worthwhile = createWorthwhile();
    worthwhile.learn('a', false);
    expect([worthwhile.isWorth('b'), worthwhile.isWorth('a')]).toEqual([true, false]);
  });
});
