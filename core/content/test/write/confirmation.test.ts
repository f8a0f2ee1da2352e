import { confirmationText, isConfirmed, parseConfirmation } from '../../src/write/remove/confirmation';

describe('the confirmation of a deletion', () => {
  it('is read as it is given, for every name that a type may have', () => {
    const effects = [
      { type: 'trade_fair', action: 'delete' as const, count: 12 },
      { type: 'room2', action: 'update' as const, count: 3 },
    ];

    expect(isConfirmed(effects, parseConfirmation(confirmationText(effects)))).toBe(true);
  });
});
