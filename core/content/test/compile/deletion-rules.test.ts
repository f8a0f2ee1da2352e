import { itemMetadata } from '../../src/read/metadata';
import { compileFields, problemsOfFields, type Declarations } from '../../../../test/support/content/declare-type';

const one = { type: 'REFERENCE', targetEntity: 'other.Thing' } as const;
const many = { ...one, cardinality: 'MULTIPLE' } as const;

describe('onDelete', () => {
  it('is in the metadata where it is declared, and restrict is as if it were not', () => {
    const type = compileFields({
      a: { ...one, onDelete: 'setNull' },
      b: { ...one, required: true, onDelete: 'cascade' },
      c: { ...many, onDelete: 'removeLink' },
      d: { ...one, onDelete: 'restrict' },
      e: one,
    });

    expect(itemMetadata(type).fields.map(({ onDelete }) => onDelete)).toEqual([
      'setNull',
      'cascade',
      'removeLink',
      undefined,
      undefined,
    ]);
    expect(Object.keys(itemMetadata(type).fields[3] ?? {})).toEqual(Object.keys(itemMetadata(type).fields[4] ?? {}));
  });

  it.each<[Declarations, string]>([
    [{ a: { onDelete: 'cascade' } }, 'a has an onDelete but its type is not REFERENCE or LINK'],
    [
      { a: { ...one, onDelete: 'drop' as never } },
      'a has the unknown onDelete "drop"; known are restrict, setNull, removeLink, cascade',
    ],
    [{ a: { type: 'REFERENCE', onDelete: 'setNull' } }, 'a has onDelete setNull, but it has no targetEntity'],
    [
      { a: { ...one, required: true, onDelete: 'setNull' } },
      'a has onDelete setNull, but it is required; use cascade or restrict',
    ],
    [
      { a: { ...one, editableOnUpdate: false, onDelete: 'setNull' } },
      'a has onDelete setNull, but it cannot be changed after the item is created (editableOnUpdate)',
    ],
    [
      { a: { ...one, onDelete: 'removeLink' } },
      'a has onDelete removeLink, but it refers to one item; use setNull or cascade',
    ],
    [{ a: { ...many, onDelete: 'setNull' } }, 'a has onDelete setNull, but it refers to several items; use removeLink'],
    [
      { a: { ...many, required: true, onDelete: 'removeLink' } },
      'a has onDelete removeLink, but it is required, and its list could become empty; use restrict',
    ],
    [
      { a: { ...many, onDelete: 'cascade' } },
      'a has onDelete cascade, but it refers to several items; use removeLink or restrict',
    ],
  ])('is refused where it makes no sense: %j', (fields, problem) => {
    expect(problemsOfFields(fields)).toEqual([problem]);
  });

  it('is refused in a type whose items only its plugin writes', () => {
    expect(problemsOfFields({ a: { ...one, onDelete: 'cascade' } }, { readOnly: true })).toEqual([
      'a has onDelete cascade, but the type is readOnly, so that only its plugin may change or delete its items',
    ]);
    expect(problemsOfFields({ a: { ...one, onDelete: 'restrict' } }, { readOnly: true })).toEqual([]);
  });
});
