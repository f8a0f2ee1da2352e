import { readTextList } from '../src/field-kinds/kind-operators';

describe('the list of an operator', () => {
  it('is read as texts', () => {
    expect(readTextList('["A",1,true]')).toEqual({ ok: true, value: ['A', '1', 'true'] });
  });

  it.each([
    ['[]', 'TOO_FEW'],
    ['A', 'WRONG_TYPE'],
    ['"A"', 'WRONG_TYPE'],
  ])('%s is refused with %s', (text, code) => {
    expect(readTextList(text)).toMatchObject({ ok: false, code });
  });
});
