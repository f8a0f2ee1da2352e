import { isSameText } from '../src/same-text';

test('secret texts are compared whole', () => {
  expect(isSameText('abc', 'abc')).toBe(true);
  expect(isSameText('abc', 'abd')).toBe(false);
  expect(isSameText('abc', 'abcd')).toBe(false);
});
