import type { FieldCondition } from '@gantry/contracts';
import { itemMetadata } from '../../src/read/metadata';
import { compileFields, problemsOfFields, type Declarations } from '../../../../test/support/content/declare-type';

const kind = { type: 'ENUM', options: ['TEXT', 'LINK'] } as const;
const isLink = { field: 'kind', equals: 'LINK' } as const;

describe('the form of a type', () => {
  it('is in the metadata as it is declared, and absent where nothing is', () => {
    const [plain, tabbed] = itemMetadata(
      compileFields({ kind, url: { tab: 'Link', width: 'half', visibleIf: isLink, requiredIf: isLink } }),
    ).fields;

    expect(tabbed).toMatchObject({
      tab: 'Link',
      width: 'half',
      visibleIf: isLink,
      requiredIf: isLink,
      required: false,
    });
    expect(Object.keys(plain ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:tab|width|visibleIf|requiredIf)$/)]),
    );
    expect(itemMetadata(compileFields({ kind: { ...kind, width: 'full' } })).fields[0]).toHaveProperty('width', 'full');
  });

  it('requires a field that is not always shown only while it is shown, and so stores it without a value', () => {
    const [, url] = compileFields({ kind, url: { required: true, visibleIf: isLink } }).fields;

    expect(url).toMatchObject({ required: false, visibleIf: isLink, requiredIf: isLink });
  });

  it('lets one of two fields be required, each by the other', () => {
    const problems = problemsOfFields({
      mail: { requiredIf: { field: 'phone', empty: true } },
      phone: { requiredIf: { field: 'mail', empty: true } },
    });

    expect(problems).toEqual([]);
  });

  it.each<[Declarations, string]>([
    [{ a: { visibleIf: isLink } }, 'a has visibleIf that names kind, which is not a field'],
    [{ a: { requiredIf: isLink } }, 'a has requiredIf that names kind, which is not a field'],
    [{ kind: { ...kind, visibleIf: isLink } }, 'kind has visibleIf that depends on the field itself'],
    [
      { a: { visibleIf: { field: 'b', empty: false } }, b: { visibleIf: { field: 'a', empty: false } } },
      'a has visibleIf that depends on the field itself; b has visibleIf that depends on the field itself',
    ],
    [{ kind: { ...kind, requiredIf: isLink } }, 'kind has requiredIf that compares the field itself'],
    [{ kind, a: { required: true, requiredIf: isLink } }, 'a has requiredIf but is required already; leave out one'],
    [
      {
        kind,
        a: { type: 'REFERENCE', targetEntity: 'other.Thing', onDelete: 'setNull', requiredIf: isLink },
      },
      'a has onDelete setNull, which could empty it, but requiredIf; use cascade or restrict',
    ],
    [
      { kind, a: { editableOnUpdate: false, requiredIf: isLink } },
      'a has a condition on kind, which can change after the field itself cannot',
    ],
    [
      { kind, a: { visibleIf: { field: 'kind', equals: 'PAGE' } } },
      'a has a condition on kind, which is compared with "PAGE": it must be one of TEXT, LINK',
    ],
    [
      { n: { type: 'NUMBER' }, a: { visibleIf: { field: 'n', equals: '1' } } },
      'a has a condition on n, which is compared with "1", which is not of the type number',
    ],
    [
      { n: { type: 'BOOLEAN' }, a: { visibleIf: { field: 'n', equals: 'true' } } },
      'a has a condition on n, which is compared with "true": it must be true or false',
    ],
    [
      { n: { ...kind, cardinality: 'MULTIPLE' }, a: { visibleIf: { field: 'n', equals: 'LINK' } } },
      'a has a condition on n, whose values have parts; conditions are about fields with one value, and references',
    ],
    [
      { n: { type: 'REFERENCE', targetEntity: 'other.Thing' }, a: { visibleIf: { field: 'n', equals: 5 } } },
      'a has a condition on n, which is a REFERENCE; conditions only ask whether it is empty',
    ],
    [{ a: { width: 'wide' as never } }, 'a has the unknown width "wide"; known are full, half, third'],
    [{ a: { tab: ' ' } }, 'a has a tab that is not a text'],
  ])('refuses %j', (fields, problem) => {
    expect(problemsOfFields(fields).join('; ')).toBe(problem);
  });

  it.each<unknown>([
    'kind',
    { field: 'kind' },
    { field: 'kind', is: 'LINK' },
    { field: 'kind', equals: null },
    { field: 'kind', equals: '' },
    { field: 'kind', equals: 'LINK', empty: false },
    { field: 'kind', in: [] },
    { field: 'kind', empty: 'true' },
    { all: [] },
    { all: [isLink], any: [isLink] },
    { all: [{ all: [{ all: [{ all: [isLink] }] }] }] },
    () => true,
  ])('refuses the condition %j', (visibleIf) => {
    expect(problemsOfFields({ kind, a: { visibleIf: visibleIf as FieldCondition } })).toEqual([
      "a has a visibleIf that is not a condition, such as { field: 'kind', equals: 'EVENT' }; comparisons are equals, notEquals, in, empty, groups are all and any, at most 3 levels deep",
    ]);
  });
});
