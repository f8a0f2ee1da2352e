import type { ItemChange } from '@gantry/contracts';
import { fieldsNotInUse, isSelected } from '../src/sending/webhook-filter';
import type { WebhookCondition } from '../src/sending/webhook-schemas';

const change: ItemChange = {
  ...{ position: '1.2.3', at: '2026-11-25T00:00:00.000Z', type: 'product', id: 5, version: 2, action: 'updated' },
  changed: ['status'],
  values: {
    status: 'REJECTED',
    price: 12.5,
    isNew: true,
    catalog: { id: 7, label: 'Tools' },
    tags: [{ id: 1 }, { id: 2 }],
  },
  previous: { status: 'APPROVED' },
};

const fields = ['status', 'price', 'isNew', 'catalog', 'tags', 'note'];
const hasField = (type: string, field: string): boolean => type === 'product' && fields.includes(field);

describe('the filter of a webhook', () => {
  it.each<[string, boolean]>([
    ['status=REJECTED', true],
    ['status=APPROVED', true],
    ['status=NEW', false],
    ['status=', false],
    ['price=12.5', true],
    ['price=12.5000', true],
    ['price=1.25e1', true],
    ['price=12.51', false],
    ['price=', false],
    ['price=twelve', false],
    ['isNew=true', true],
    ['catalog=7', true],
    ['catalog=8', false],
    ['tags=2', true],
    ['note=', true],
    ['unknown=', false],
  ])('%s holds for a state before or after the change: %s', (text, expected) => {
    expect(isSelected({ types: [], actions: [], filter: [conditionOf(text)] }, change, hasField)).toBe(expected);
  });

  it('has to hold as a whole for one of the two states', () => {
    const filter = [
      conditionOf('status=APPROVED'),
      { ...conditionOf('status=APPROVED'), operator: 'NOT_EQUALS' as const },
    ];
    expect(isSelected({ types: [], actions: [], filter }, change, hasField)).toBe(false);
  });

  it('is closed on a field that the type has no more, whatever the operator, and names it', () => {
    const filter = [{ field: 'owner', operator: 'NOT_EQUALS' as const, value: 'me' }];
    expect(isSelected({ types: ['product'], actions: [], filter }, change, hasField)).toBe(false);
    expect(fieldsNotInUse({ types: ['product'], filter }, ['product'], hasField)).toEqual(['owner']);
    const both = [...filter, conditionOf('note=')];
    expect(fieldsNotInUse({ types: ['product', 'event'], filter: both }, ['product', 'event'], hasField)).toEqual([
      ...['owner', 'note'],
    ]);
    expect(fieldsNotInUse({ types: [], filter: both }, ['product', 'event'], hasField)).toEqual(['owner']);
  });

  it('is not asked for changes of other types and actions', () => {
    expect(isSelected({ types: ['catalog'], actions: [], filter: [] }, change, hasField)).toBe(false);
    expect(isSelected({ types: ['product'], actions: ['created'], filter: [] }, change, hasField)).toBe(false);
    expect(isSelected({ types: ['product'], actions: ['updated'], filter: [] }, change, hasField)).toBe(true);
  });
});

function conditionOf(text: string): WebhookCondition {
  const [field = '', value = ''] = text.split('=');
  return { field, operator: 'EQUALS', value };
}
