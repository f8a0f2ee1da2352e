import { isGantryError } from '@gantry/plugin-api';
import { assertPrecondition } from '../../src/write/precondition';
import { compile, declareType } from '../../../../test/support/content/declare-type';

const type = compile(declareType('Offer', { title: {} }));

function refusal(expected: readonly string[]) {
  try {
    assertPrecondition(type, { id: '7', version: 2 }, { expected });
  } catch (error) {
    if (isGantryError(error)) return error;
    throw error;
  }
  return undefined;
}

describe('assertPrecondition', () => {
  it('lets the current version pass', () => {
    expect(refusal(['1', '2'])).toBeUndefined();
  });

  it.each([
    [['1'], true, false],
    [['W/"2"', '1'], true, false],
    [['W/"2"'], false, true],
    [['W/"1"', 'W/"2"'], false, true],
    [['abc'], false, false],
    [['0'], false, false],
  ])('refuses %j and tells a change from a tag that is no version', (expected, isChange, isWeak) => {
    const error = refusal(expected);

    expect(error).toMatchObject({ code: 'VERSION_MISMATCH', headers: { ETag: '"2"' } });
    expect(error?.message.includes('in the meantime')).toBe(isChange);
    expect(error?.message.includes('weak')).toBe(isWeak);
    expect(error?.message.includes('If-Match')).toBe(!isChange);
  });
});
