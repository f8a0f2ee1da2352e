import type { ItemChange } from '../src/api/changes';
import { groupChanges } from '../src/home/recent-changes';
import { initialsOf } from '../src/ui/text/initials';

const change = (position: number, given: Partial<ItemChange>): ItemChange => ({
  position: String(position),
  at: '2026-11-28T09:14:00Z',
  type: 'product',
  id: String(position),
  version: 1,
  action: 'created',
  actor: 'user:2',
  changed: [],
  ...given,
});

function counts(changes: readonly ItemChange[]) {
  return groupChanges(changes).map((group) => [group.change.position, group.count, group.oldest.position]);
}

describe('changes on the home page', () => {
  test('are one line where they differ only in the item', () => {
    const other = { source: 'import' } as const;
    expect(counts([change(4, other), change(3, { type: 'article' }), change(2, other), change(1, {})])).toEqual([
      ['4', 2, '2'],
      ['3', 1, '3'],
      ['1', 1, '1'],
    ]);
  });

  test('count an item once, and begin anew after ten minutes', () => {
    const earlier = { at: '2026-11-28T09:03:00Z' };
    const updates = [change(3, { id: '7' }), change(2, { id: '7' }), change(1, { id: '7', ...earlier })];
    expect(counts(updates)).toEqual([
      ['3', 1, '2'],
      ['1', 1, '1'],
    ]);
  });

  test.each([
    ['Maja Lindqvist', 'ML'],
    ['ben.adeyemi@example.com', 'BA'],
    ['Ann', 'A'],
    ['', ''],
  ])('show who did it by initials: %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
