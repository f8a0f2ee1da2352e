import { consignmentWorkflowId, orderWorkflowId, parseOrderId } from '../src';

describe('parseOrderId', () => {
  test.each(['1', '1001', 'a.b_c-D', '-', '...', 'x'.repeat(64)])('takes %j', (orderId) => {
    expect(parseOrderId(orderId)).toEqual({ ok: true, orderId });
  });

  test.each([
    [undefined, 'is missing'],
    [null, 'is missing'],
    ['', 'is empty'],
    [7, 'must be text, found a number'],
    [['1'], 'must be text, found a list'],
    [{ id: '1' }, 'must be text, found an object'],
    ['x'.repeat(65), 'has 65 characters'],
    ['a/b', 'has a character that is not allowed'],
    ['a b', 'has a character that is not allowed'],
    ['a\n', 'has a character that is not allowed'],
    ['\u0000', 'has a character that is not allowed'],
    ['.', 'has a special meaning in a path'],
    ['..', 'has a special meaning in a path'],
    ['ä', 'has a character that is not allowed'],
  ])('refuses %j and says why', (value, problem) => {
    expect(parseOrderId(value)).toEqual({ ok: false, message: expect.stringContaining(`orderId ${problem}`) });
  });
});

test('workflow ids are the specified ones', () => {
  expect([orderWorkflowId('1001'), consignmentWorkflowId('1001')]).toEqual(['order-1001', 'consignment-1001']);
});
