import { orderRemovals, type InnerReference } from '../src/removal-order';

/** `a>b` is a required reference of a to b, `a?b` an optional one. */
function references(text: string): readonly InnerReference[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map(([owner = '', kind, target = '']) => ({ owner, target, by: kind ?? '', isOptional: kind === '?' }));
}

function order(items: string, text: string): readonly string[] | undefined {
  return orderRemovals(items, references(text))?.map((step) =>
    step.kind === 'remove' ? step.item : `${step.reference.owner}?${step.reference.target}`,
  );
}

describe('the order of deletions', () => {
  it('has those that refer to an item before it', () => {
    expect(order('abcd', 'b>a c>b d>a d>c')).toEqual(['d', 'c', 'b', 'a']);
  });

  it('empties one optional reference of a cycle', () => {
    expect(order('abc', 'a>b b>c c?a')).toEqual(['c?a', 'a', 'b', 'c']);
  });

  it('leaves references alone that are no part of a cycle', () => {
    const steps = order('abcx', 'a>b b?a a?x c?x b?c') ?? [];
    expect(steps.filter((step) => step.includes('?'))).toEqual(['b?a']);
    expect(steps.toSorted()).toEqual(['a', 'b', 'b?a', 'c', 'x']);
  });

  it('empties all references of a field at once', () => {
    const steps = order('abc', 'a?b a?c b?a b?c c?a c?b') ?? [];
    expect(steps.filter((step) => step.includes('?'))).toHaveLength(2);
  });

  it('takes an item that refers to another twice', () => {
    expect(order('ab', 'a>b a?b')).toEqual(['a', 'b']);
  });

  it('ends where only required references make a cycle', () => {
    expect(order('ab', 'a>b b>a')).toBeUndefined();
  });

  it('orders long chains and rings', () => {
    const items = Array.from({ length: 1_000 }, (_, index) => `i${index}`);
    const ring = items.map((owner, index) => ({
      owner,
      target: items[(index + 1) % items.length] ?? '',
      by: 'next',
      isOptional: true,
    }));
    const steps = orderRemovals(items, ring) ?? [];
    expect(steps).toHaveLength(1_001);
    expect(steps.filter(({ kind }) => kind === 'release')).toHaveLength(1);
  });
});
