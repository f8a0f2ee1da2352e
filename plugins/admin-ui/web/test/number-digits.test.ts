import { commonDigits } from '../src/content/list/filter/number-digits';

describe('the digits after the point that a column of numbers shows', () => {
  test('are those that every value needs', () => {
    expect(commonDigits([0, 2, 1, 2])).toBe(2);
    expect(commonDigits([0, 0])).toBe(0);
    expect(commonDigits([])).toBe(0);
  });

  test('are not widened by a rare value with more of them', () => {
    const prices = Array.from({ length: 50 }, () => 2);
    expect(commonDigits([...prices, 4])).toBe(2);
    expect(commonDigits([2, 4, 4, 4])).toBe(4);
  });
});
