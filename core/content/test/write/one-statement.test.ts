import fc from 'fast-check';
import { isGantryError } from '@gantry/plugin-api';
import type { JsonObject } from '@gantry/core-common';
import { createOpenPolicy } from '../../src/policy/open-policy';
import { userScope, type Scope } from '../../src/policy/scope';
import type { CompiledItemType } from '../../src/compile/descriptor';
import { declareType, type Declarations } from '../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';

const maker = declareType('Maker', { name: {} });
const fields: Declarations = {
  code: { required: true },
  name: { maxLength: 12 },
  price: { type: 'NUMBER' },
  count: { type: 'NUMBER' },
  active: { type: 'BOOLEAN' },
  day: { type: 'DATE' },
  at: { type: 'DATETIME' },
  from: { type: 'TIME' },
  state: { type: 'ENUM', options: ['NEW', 'OLD'] },
  tags: { type: 'ENUM', cardinality: 'MULTIPLE', options: ['RED', 'BLUE'] },
  fixed: { editableOnUpdate: false },
  maker: { type: 'REFERENCE', targetEntity: () => maker },
};
const unique = { unique: [['code']] };
const plain = declareType('Plain', fields, unique);
const hooked = declareType('Hooked', fields, unique);

let content: OpenTypes;
let scope: Scope;

beforeAll(async () => {
  content = await openTypes([maker, plain, hooked]);
  scope = userScope(createOpenPolicy(content.types), 'local', 'none');
  // The hook does nothing; an update of the type goes through its model for it.
  typeOf('hooked').model.addHook('beforeUpdate', () => undefined);
  await content.writer.create(scope, typeOf('maker'), { name: 'One' });
});
afterAll(() => content.close());

function typeOf(code: string): CompiledItemType {
  const type = content.types.find(code);
  if (type === undefined) throw new Error(`There is no type ${code}.`);
  return type;
}

interface Change {
  readonly id: string;
  readonly expected?: readonly string[] | undefined;
  readonly payload: object;
}

const values = fc.record(
  {
    code: fc.constantFrom('a', 'b', 'A', '', null),
    name: fc.constantFrom('one', 'One', ' one ', 'a name that is too long', '', null, 7),
    price: fc.constantFrom(1, 1.5, '1.50', 1.234, 12_345_678_901, null, 'x'),
    count: fc.constantFrom(0, 1, -1, 9_007_199_254_740_991, null),
    active: fc.constantFrom(true, false, null),
    day: fc.constantFrom('2026-02-28', '2026-02-30', null),
    at: fc.constantFrom('2026-02-28T10:00:00Z', '2026-02-28T11:00:00+01:00', '2026-02-28T10:00:00.5Z', null),
    from: fc.constantFrom('10:00', '10:00:00', '10:00:00.5', '25:00', null),
    state: fc.constantFrom('NEW', 'OLD', 'ELSE', null),
    tags: fc.constantFrom([], ['RED'], ['RED', 'BLUE'], ['BLUE', 'RED'], null),
    fixed: fc.constantFrom('kept', 'other', null),
    maker: fc.constantFrom(1, 2, null),
    other: fc.constant('unknown'),
  },
  { requiredKeys: [] },
);
const change: fc.Arbitrary<Change> = fc.record({
  id: fc.constantFrom('1', '1', '1', '2', '3'),
  expected: fc.option(fc.subarray(['1', '2', '3', 'W/"1"', '99999999999'], { minLength: 1 }), { nil: undefined }),
  payload: values,
});

/** Result of a change, without the times and the name of the type. */
async function outcome(code: string, { id, expected, payload }: Change): Promise<unknown> {
  try {
    const { json, version } = await content.writer.update(scope, typeOf(code), id, payload as JsonObject, { expected });
    return { item: JSON.parse(json.replaceAll(/"(created|updated)At":"[^"]*"/g, '"$1At":""')) as unknown, version };
  } catch (error) {
    if (!isGantryError(error)) throw error;
    const { code: errorCode, message, details } = error;
    const text = JSON.stringify({ errorCode, message, details });
    return text.replaceAll(/plain|hooked/gi, 'type');
  }
}

describe('an update in one statement', () => {
  it('comes to the same as one through the model, whatever is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        for (const code of ['plain', 'hooked']) {
          await content.rows(`TRUNCATE workshop_${code} RESTART IDENTITY CASCADE`);
          for (const key of ['a', 'b']) {
            await content.writer.create(scope, typeOf(code), { code: key, fixed: 'kept', state: 'NEW' });
          }
        }
        for (const one of changes) expect(await outcome('plain', one)).toEqual(await outcome('hooked', one));
      }),
      { numRuns: 60 },
    );
  });

  it('needs no transaction around it', async () => {
    await content.rows('TRUNCATE workshop_plain, workshop_hooked RESTART IDENTITY CASCADE');
    for (const code of ['plain', 'hooked']) await content.writer.create(scope, typeOf(code), { code: 'a' });
    const begin = jest.spyOn(Object.getPrototypeOf(typeOf('plain').model.sequelize), 'transaction');

    await content.writer.update(scope, typeOf('plain'), '1', { name: 'one', maker: 1 }, { expected: ['1'] });
    expect(begin).toHaveBeenCalledTimes(0);
    await content.writer.update(scope, typeOf('hooked'), '1', { name: 'one', maker: 1 }, { expected: ['1'] });
    expect(begin).toHaveBeenCalledTimes(1);
    begin.mockRestore();
  });
});
