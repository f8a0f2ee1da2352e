import { nameInSentence } from '../src/content/name-in-sentence';

it.each([
  ['Products', 'products'],
  ['Trending articles', 'trending articles'],
  ['Örter', 'örter'],
  ['URLs', 'URLs'],
  ['A', 'a'],
  ['', ''],
])('the name %j reads %j within a sentence', (name, expected) => {
  expect(nameInSentence(name)).toBe(expected);
});
