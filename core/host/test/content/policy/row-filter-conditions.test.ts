import type { Grant, GrantCondition } from '@gantry/contracts';
import { rowFilterOf, type RowFilter } from '@gantry/core-content';
import { roleInput } from '@gantry/core-identity';
import { compileFields } from '../../../../../test/support/content/declare-type';

const type = compileFields({
  code: { searchable: true },
  day: { type: 'DATE', searchable: true },
  price: { type: 'NUMBER', searchable: true },
  owners: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE', searchable: true },
});

function filterOf(...where: readonly GrantCondition[]): RowFilter {
  const grant: Grant = { on: { plugin: 'workshop', type: 'sample' }, actions: ['read'], where };
  return rowFilterOf(grant, type, { id: '7', login: 'a$b\'c\\"@example.org' });
}

const own = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' } as const;
const recent = { field: 'day', operator: 'AFTER', value: '-7d' } as const;

describe('the conditions of a role', () => {
  it('may be groups of which one or all have to be met', () => {
    expect(filterOf({ any: [own, { all: [recent, { field: 'price', operator: 'IN', value: '[1,2]' }] }] })).toEqual({
      problems: [],
      condition:
        `((t."created_by" =  E'7'::bigint OR ((t."day" > ((now() AT TIME ZONE 'UTC') + ( E'-7 days')::interval)::date)` +
        ` AND (t."price" = ANY (ARRAY(SELECT x::double precision FROM unnest( E'{"1","2"}'::text[]) x))))))`,
    });
  });

  it('have values that stay constants, whatever is in them', () => {
    const value = { field: 'code', operator: 'NOT_EQUALS', value: '$user.login' } as const;
    expect(filterOf(value).condition).toBe(String.raw`(((t."code" =  E'a\x24b''c\\"@example.org') IS NOT TRUE))`);
    expect(filterOf({ field: 'owners', operator: 'EMPTY', value: 'true' }).condition).toContain(
      'EXISTS (SELECT 1 FROM',
    );
  });

  it.each([
    [{ field: 'code', operator: 'LIKE', value: 'x' }, /^code .* LIKE$/],
    [{ field: 'price', operator: 'STARTS_WITH', value: '1' }, /^price .* STARTS_WITH$/],
    [{ field: 'code', operator: 'IN', value: 'x' }, / value of code .* array /],
    [{ field: 'nowhere', operator: 'EQUALS', value: 'x' }, /^Sample .* nowhere /],
  ])('that cannot be read are met by no item, also within a group: %j', (condition, named) => {
    const wrong = condition as GrantCondition;
    const text = expect.stringMatching(named);
    expect(filterOf({ any: [own, wrong] })).toEqual({ condition: 'false', problems: [{ condition: wrong, text }] });
  });

  it('of an empty group are met by no item', () => {
    expect(filterOf({ any: [] })).toEqual({ condition: '(false)', problems: [] });
  });
});

describe('a condition on the author of an item', () => {
  const own = { field: 'createdBy', operator: 'EQUALS', value: '$user.id' } as const;
  const filterOfDeclared = (value: string, readOnly: boolean) => {
    const declared = { ...compileFields({ createdBy: { searchable: true } }), readOnly };
    const grant: Grant = {
      on: { plugin: 'workshop', type: 'sample' },
      actions: ['read'],
      where: [{ ...own, value }],
    };
    return rowFilterOf(grant, declared, { id: '7', login: 'a' });
  };

  it.each(['$user.id', '$user.login'])('is met by no item where clients set a field of that name: %s', (value) => {
    const text = expect.stringMatching(/^createdBy .* field of the plugin/);
    expect(filterOfDeclared(value, false)).toEqual({
      condition: 'false',
      problems: [{ condition: { ...own, value }, text }],
    });
  });

  it('compares such a field with a fixed value, and that of a type that only its plugin writes', () => {
    expect(filterOfDeclared('press', false).problems).toEqual([]);
    expect(filterOfDeclared('$user.id', true).problems).toEqual([]);
  });
});

describe('a role that is written', () => {
  const read = (where: unknown) =>
    roleInput.safeParse({
      name: 'press',
      grants: [{ on: { plugin: 'workshop', type: 'sample' }, actions: ['read'], where }],
    });

  it('may have groups, at most three deep', () => {
    expect(read([{ any: [own, { all: [recent] }] }]).success).toBe(true);
    expect(read([{ any: [{ any: [{ any: [own] }] }] }]).success).toBe(true);
    expect(read([{ any: [{ any: [{ any: [{ any: [own] }] }] }] }]).success).toBe(false);
  });

  it.each([
    [[{ any: [] }]],
    [[{ any: [own], all: [own] }]],
    [[{ any: own }]],
    [[{ any: [own], field: 'code' }]],
    [[{ field: 'code', operator: 'like', value: 'x' }]],
    [[{ field: 'code', operator: "LIKE' OR true", value: 'x' }]],
    [[{ any: [{ field: 'code', value: '$user.password' }] }]],
    [['any']],
  ])('is refused with %j', (where) => {
    expect(read(where).success).toBe(false);
  });
});
