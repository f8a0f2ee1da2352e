import { consignmentWorkflowId, orderWorkflowId, parseOrderId } from '../src';

describe('parseOrderId', () => {
  test.each(['1', '1001', 'a.b_c-D', '-', '...', 'x'.repeat(64)])('takes %j', (orderId) => {
    expect(parseOrderId(orderId)).toEqual({ ok: true, orderId });
  });

  test.each([
    [undefined, 'missing'],
    [null, 'missing'],
    ['', 'empty'],
    [7, 'text, found a number'],
    [['1'], 'text, found a list'],
    [{ id: '1' }, 'text, found an object'],
    ['x'.repeat(65), '65 characters'],
    ['a/b', 'character'],
    ['a b', 'character'],
    ['a\n', 'character'],
    ['\u0000', 'character'],
    ['.', 'path'],
    ['..', 'path'],
    ['ä', 'character'],
  ])('refuses %j and says why', (value, problem) => {
    expect(parseOrderId(value)).toEqual({
      ok: false,
      message: expect.stringMatching(new RegExp(`^orderId .*${problem}`)),
    });
  });
});

test('workflow ids are the specified ones', () => {
  expect([orderWorkflowId('1001'), consignmentWorkflowId('1001')]).toEqual(['order-1001', 'consignment-1001']);
});
