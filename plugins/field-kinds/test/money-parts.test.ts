import { missingPart, readMoney, writeMoney } from '../web/src/money-parts';

describe('the parts of an amount of money in a form', () => {
  it.each([
    ['', { amount: '', currency: '' }],
    ['{"amount":1024.90,"currency":"EUR"}', { amount: '1024.90', currency: 'EUR' }],
    ['{"currency":"EUR","amount":123456789012345.6789}', { amount: '123456789012345.6789', currency: 'EUR' }],
    ['{"amount":"12,5","currency":"EUR"}', { amount: '12,5', currency: 'EUR' }],
    ['{"amount":"","currency":"EUR"}', { amount: '', currency: 'EUR' }],
    ['{"amount":"\\"amount\\":5,","currency":"EUR"}', { amount: '"amount":5,', currency: 'EUR' }],
  ])('of %s are read and written without a difference', (text, parts) => {
    expect(readMoney(text)).toEqual(parts);
    expect(readMoney(writeMoney(parts))).toEqual(parts);
  });

  it.each([
    ['', 'EUR', '{"amount":"","currency":"EUR"}'],
    ['  ', 'EUR', '{"amount":"","currency":"EUR"}'],
    ['5', '', '{"amount":5,"currency":""}'],
    ['.5', 'EUR', '{"amount":0.5,"currency":"EUR"}'],
    ['+05.', 'EUR', '{"amount":5,"currency":"EUR"}'],
    ['1e2', 'EUR', '{"amount":1e2,"currency":"EUR"}'],
    [' ', '', ''],
  ])('%j and %j are sent as %s', (amount, currency, text) => {
    expect(writeMoney({ amount, currency })).toBe(text);
  });

  it('are a problem where one is there without the other', () => {
    const problems = (isRequired: boolean) =>
      (
        [
          ['', ''],
          ['5', 'EUR'],
          [' ', 'EUR'],
          ['5', ''],
        ] as const
      ).map(([amount, currency]) => missingPart({ amount, currency }, isRequired));
    expect(problems(false)).toEqual([
      undefined,
      undefined,
      'Enter an amount, or clear the currency.',
      'Choose a currency, or clear the amount.',
    ]);
    expect(problems(true)).toEqual([undefined, undefined, 'Enter an amount.', 'Choose a currency.']);
  });
});
