import {
  formatListState,
  isIdPrefix,
  parseListState,
  requestOf,
} from '../web/src/operations/order-list/order-list-state';
import { nextAction } from '../web/src/operations/order-list/next-action';

const read = (query: string) => parseListState(new URLSearchParams(query));

describe('the state of the list of orders', () => {
  it.each([
    '',
    'group=to-dispatch',
    'group=attention&status=FAILED&step=START&since=over-1h&id=10&sort=since&after=abc&limit=100',
  ])('is written to the address as it was read: %s', (query) => {
    expect(Object.fromEntries(new URLSearchParams(formatListState(read(query), null)))).toEqual(
      Object.fromEntries(new URLSearchParams(query)),
    );
  });

  it('leaves out what is no filter', () => {
    expect(formatListState(read('group=others&step=X&since=2d&id=a%25&sort=id&limit=7'), 'off')).toBe('live=off');
  });

  it('asks for what waits longest first where a person is waited for, and for the latest elsewhere', () => {
    expect(requestOf(read(''), 0).sort).toBe('waiting');
    expect(requestOf(read('group=to-dispatch'), 0).sort).toBe('waiting');
    expect(requestOf(read('group=awaiting-payment&sort=-since'), 0).sort).toBe('-since');
  });

  it('asks for times by the minute, within a time and beyond it', () => {
    const now = Date.parse('2030-01-31T12:34:56.789Z');

    expect(requestOf(read('since=1h'), now)).toMatchObject({ from: '2030-01-31T11:34:00.000Z', to: undefined });
    expect(requestOf(read('since=over-10m'), now)).toMatchObject({ from: undefined, to: '2030-01-31T12:24:00.000Z' });
  });

  it.each([
    ['1', true],
    ['..', true],
    ['A-1_b.', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['a b', false],
    ['a%', false],
  ])('an id can begin with "%s": %s', (text, expected) => {
    expect(isIdPrefix(text)).toBe(expected);
  });
});

describe('the next action of an order', () => {
  it.each([
    ['OPEN', 'START', 'pay'],
    ['OPEN', 'ORDER_PLACED', 'pay'],
    ['OPEN', 'PAID', undefined],
    ['OPEN', 'WAITING_FOR_CHILD', 'dispatch'],
    ['REDELIVERING', 'WAITING_FOR_CHILD', 'dispatch'],
    ['OPEN', 'IN_TRANSIT', undefined],
    ['NEEDS_DECISION', 'WAITING_FOR_CHILD', 'decide'],
    ['FAILED', 'WAITING_FOR_CHILD', 'acknowledge'],
    ['REFUNDED', 'COMPLETED', undefined],
    [null, null, undefined],
  ] as const)('with the status %s at the step %s is %s', (status, step, expected) => {
    expect(nextAction({ status, step, acknowledgement: null })).toBe(expected);
  });
});
