import { textsOf } from '../src/content/list/filter/criteria-text';

describe('the value of a criterion in an address', () => {
  it.each([
    ['["A","B"]', ['A', 'B']],
    ['[1,true]', ['1', 'true']],
    ['[abc]', undefined],
    ['[{"a":1}]', undefined],
    ['[null]', undefined],
    ['"A"', undefined],
    ['', undefined],
  ])('%s is the list %j', (value, expected) => {
    expect(textsOf(value)).toEqual(expected);
  });
});
