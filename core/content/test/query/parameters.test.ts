import { parseCount } from '../../src/query/parameters';

function refusalOf(text: string): unknown {
  try {
    return parseCount('limit', text, 1_000_000_000);
  } catch (error) {
    return error;
  }
}

describe('parseCount', () => {
  it('takes the maximum that is given', () => {
    expect(parseCount('limit', '1000000000', 1_000_000_000)).toBe(1_000_000_000);
  });

  it.each([
    ['1000000001', 'OUT_OF_RANGE'],
    ['0', 'OUT_OF_RANGE'],
    ['-1', 'OUT_OF_RANGE'],
    ['1.5', 'WRONG_TYPE'],
    ['', 'WRONG_TYPE'],
  ])('refuses %j and says which numbers are accepted', (text, code) => {
    expect(refusalOf(text)).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'limit', code, message: expect.stringContaining('from 1 to 1000000000') }],
    });
  });
});
