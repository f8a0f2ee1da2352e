import { accepted, defineFieldKind, refused, type DefinedFieldKind, type FieldOptions } from '@gantry/plugin-api';
import { compilePlugins, hasOrderIndex, bindCriterion, operatorsOf, type TypeSource } from '@gantry/core-content';
import { checkFieldKinds } from '@gantry/core-loader';
import { declareType } from '../../../../../test/support/content/declare-type';

const color = defineFieldKind({
  name: 'Color',
  column: 'VARCHAR(7)',
  options: ['maxLength'],
  parse(value) {
    if (value === 'boom') throw new Error('out of paint');
    if (value === 'nothing') return undefined as never;
    return typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value)
      ? accepted(value)
      : refused('PATTERN', 'must be a colour');
  },
  convert: (text) => accepted(text),
  jsonSchema: () => ({ type: 'string' }),
  checkSettings: ({ palette }) => (palette === undefined ? [] : ['has a palette, which is no setting']),
});

function plugin(
  id: string,
  {
    types = [],
    kinds = [],
    ...depends
  }: Partial<TypeSource['manifest']> & {
    readonly types?: TypeSource['definition']['itemTypes'];
    readonly kinds?: readonly DefinedFieldKind[];
  } = {},
): TypeSource {
  return {
    manifest: { id, displayName: id, dependsOn: {}, optionalDependsOn: {}, ...depends },
    definition: { itemTypes: types, fieldKinds: kinds },
  };
}

const paints = plugin('paints', { kinds: [color] });
const wall = (options: Partial<FieldOptions> = {}) =>
  declareType('Wall', { tint: { type: 'paints.Color', searchable: true, ...options } });

describe('a field kind of a plugin', () => {
  it('is that of fields of its own types and of those of plugins that depend on it', () => {
    const own = plugin('paints', { kinds: [color], types: [declareType('Paint', { tint: { type: 'paints.Color' } })] });
    const { types, failures, fieldTypes } = compilePlugins([
      own,
      plugin('walls', { dependsOn: { paints: '*' }, types: [wall()] }),
    ]);
    expect(failures.size).toBe(0);
    expect(types.map(({ descriptor }) => descriptor.fields[0])).toMatchObject([
      { type: 'paints.Color', column: 'tint', columnType: 'VARCHAR(7)' },
      { type: 'paints.Color', searchable: true },
    ]);
    expect(fieldTypes.names).toContain('paints.Color');
  });

  it('blocks the plugin of a type when its plugin is not there', () => {
    const { types, failures, blocked } = compilePlugins([
      plugin('walls', { optionalDependsOn: { paints: '*' }, types: [wall()] }),
      plugin('other', { types: [declareType('Thing', { name: {} })] }),
    ]);
    expect([...failures]).toEqual([
      [
        'walls',
        ['Item type Wall: tint has the type paints.Color, but the plugin paints is not enabled; its data stays'],
      ],
    ]);
    expect([...blocked]).toEqual(['walls']);
    expect(types.map(({ descriptor }) => descriptor.code)).toEqual(['thing']);
  });

  it.each([
    [{}, {}, 'package.json does not name "paints" in gantry.dependsOn or gantry.optionalDependsOn'],
    [{ paints: '*' }, { type: 'paints.Colour' }, 'paints has no such field kind; it has paints.Color'],
    [{ paints: '*' }, { type: 'paint' }, 'the unknown type paint; known are STRING'],
    [{ paints: '*' }, { pattern: 'x' }, 'tint has a pattern but its type is not STRING, TEXT or IMAGE'],
    [{ paints: '*' }, { settings: { palette: 1 } }, 'tint has a palette, which is no setting'],
    [{ paints: '*' }, { default: 'red' }, 'tint has a default that cannot be stored: it must be a colour'],
    [{ paints: '*' }, { column: 'INTEGER' }, 'whose values a column of the type INTEGER cannot hold'],
  ])('is an error of a declaration that does not fit: %j %j', (dependsOn, options, message) => {
    const model = wall(options as Partial<FieldOptions>);
    const { failures, blocked } = compilePlugins([paints, plugin('walls', { dependsOn, types: [model] })]);
    expect(failures.get('walls')?.join()).toContain(message);
    expect(blocked.size).toBe(0);
  });

  it('refuses a value with its name when its code throws or gives nothing', () => {
    const { types } = compilePlugins([paints, plugin('walls', { dependsOn: { paints: '*' }, types: [wall()] })]);
    const [field] = types[0]?.descriptor.fields ?? [];
    expect(['boom', 'nothing', '#00ff00'].map((value) => field?.kind.parse(value, field))).toEqual([
      expect.objectContaining({
        ok: false,
        message: expect.stringContaining('the field kind paints.Color failed (out of paint'),
      }),
      expect.objectContaining({ ok: false, message: expect.stringContaining('it returned no result') }),
      { ok: true, value: '#00ff00' },
    ]);
  });
});

describe('a field kind whose code throws', () => {
  const boom = (): never => {
    throw new Error('out of paint');
  };
  const broken = defineFieldKind({
    name: 'Broken',
    column: 'VARCHAR(20)',
    isText: true,
    index: 'trigram',
    parse: (value) => accepted(String(value)),
    convert: (text) => accepted(text),
    operators: { LIGHTER: { bind: () => accepted({ condition: boom }) } },
    ...{ jsonSchema: boom, rowSchema: boom, describe: boom, example: boom, formMembers: boom, searchMembers: boom },
    ...{ toCell: boom, toFileJson: boom, toModel: boom },
  });
  const { types } = compilePlugins([
    plugin('paints', {
      kinds: [broken],
      types: [declareType('Paint', { a: { type: 'paints.Broken', searchable: true } })],
    }),
  ]);
  const [field] = types[0]?.descriptor.fields ?? [];
  if (field === undefined) throw new Error('The type has no field.');

  it('is asked for equality where an operator behaves as that', () => {
    const at = defineFieldKind({
      name: 'Place',
      column: 'POINT',
      parse: () => accepted('x'),
      convert: () => refused('WRONG_TYPE', 'must not be asked'),
      jsonSchema: () => ({}),
      operators: {
        EQUALS: { bind: (text) => accepted({ value: text, condition: (column, value) => column + value }) },
      },
    });
    const [place] =
      compilePlugins([
        plugin('maps', { kinds: [at], types: [declareType('Spot', { a: { type: 'maps.Place', searchable: true } })] }),
      ]).types[0]?.descriptor.fields ?? [];
    if (place === undefined) throw new Error('The type has no field.');
    for (const operator of ['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN', 'NEAR']) {
      expect(bindCriterion(place, operator, '1,2')).toMatchObject({ operator: 'OWN', own: { name: 'EQUALS' } });
    }
    expect(operatorsOf(place.kind)).toEqual(['EQUALS']);
  });

  it('refuses the criterion', () => {
    expect(bindCriterion(field, 'LIGHTER', 'x')).toMatchObject({ message: expect.stringContaining('out of paint') });
  });

  it('has values and descriptions without form', () => {
    const { kind } = field;
    expect([kind.toCell('x'), kind.toFileJson('x'), kind.toModel('x')]).toEqual(['x', '"x"', 'x']);
    expect([kind.jsonSchema(field), kind.rowSchema(field), kind.formMembers(field), kind.searchMembers(field)]).toEqual(
      [{}, {}, {}, {}],
    );
    expect([kind.describe(field), kind.example(field)]).toEqual([[], undefined]);
  });

  it('has an index for the order of texts whose column is short', () => {
    expect(field.maxLength).toBe(20);
    expect(hasOrderIndex(field)).toBe(true);
  });
});

describe('field kinds of a definition', () => {
  const sound = { name: 'Color', parse: accepted, convert: accepted, jsonSchema: accepted, column: 'TEXT' };

  it.each([
    [{}, 'The field kinds are not a list'],
    [[{ name: 'Color' }], 'The field kind number 1 was not made with defineFieldKind'],
    [[color, color], 'Two field kinds have the name Color'],
  ])('are checked when the plugin is registered: %j', (fieldKinds, reason) => {
    expect(checkFieldKinds({ id: 'paints', fieldKinds: fieldKinds as never })).toMatchObject([
      { code: 'FIELD_KIND_INVALID', reason },
    ]);
  });

  it.each([
    [undefined, 'defineFieldKind needs an object'],
    [{ name: 'color' }, 'must begin with a capital'],
    [{ name: 'Color' }, 'needs the function parse'],
    [
      { name: 'Color', parse: accepted, convert: accepted, jsonSchema: accepted, column: 'text; DROP' },
      'SQL type of its column',
    ],
    [
      { ...sound, derivation: { from: 'title' } },
      'derivation of the field kind Color must be an object of the functions',
    ],
    [{ ...sound, operators: { LIGHTER: 'x' } }, 'operators of the field kind Color must be an object of { bind'],
    [{ ...sound, toCell: 'x' }, 'toCell of the field kind Color must be a function'],
  ])('are refused by defineFieldKind: %j', (definition, message) => {
    expect(() => defineFieldKind(definition as never)).toThrow(message);
  });
});
