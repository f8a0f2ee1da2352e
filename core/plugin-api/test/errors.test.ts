import { GantryError, invalidValue } from '../src';

describe('the error for a value that cannot be accepted', () => {
  it('names the value in its details and is a sentence', () => {
    const error = invalidValue('items[2].price', 'price must be a number');
    expect(error).toBeInstanceOf(GantryError);
    expect(error).toMatchObject({
      code: 'VALIDATION_FAILED',
      status: 400,
      message: 'price must be a number.',
      details: [{ path: 'items[2].price', code: 'VALUE_INVALID', message: 'price must be a number' }],
    });
  });

  it('keeps a message that ends with a point, and a more specific code', () => {
    const error = invalidValue('orderId', 'orderId is missing.', 'ORDER_ID_INVALID');
    expect(error.message).toBe('orderId is missing.');
    expect(error.details).toEqual([{ path: 'orderId', code: 'ORDER_ID_INVALID', message: 'orderId is missing.' }]);
  });
});
