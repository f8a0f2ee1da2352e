import { BaseItem, definePlugin, Field, ItemType, type FieldOptions, type ItemTypeClass } from '../src';

/** Declarations of a newcomer, as compilers and plain JavaScript pass them on. */
const field = Field as (...given: readonly unknown[]) => (...target: readonly unknown[]) => void;
const itemType = ItemType as (...given: readonly unknown[]) => (...target: readonly unknown[]) => void;
const define = definePlugin as (definition: unknown) => unknown;
const label: FieldOptions = { displayName: 'Name' };

describe('the decorators', () => {
  class Boat extends BaseItem {}

  it('are called with parentheses, and say so where they are not', () => {
    expect(() => field(Boat.prototype, 'name')).toThrow(/^@Field .*: @Field\(\{ displayName: … \}\)/);
    expect(() => field(undefined, { kind: 'field', name: 'name' })).toThrow(/^@Field .*: @Field\(\{/);
    expect(() => itemType(Boat)).toThrow(/^@ItemType .*: @ItemType\(\{ … \}\) .* Boat$/);
  });

  it('name the setting that a compiler for standard decorators lacks', () => {
    const before = (what: string) => new RegExp(`^${what}: .*"experimentalDecorators": true in tsconfig\\.json`);
    expect(() => field(label)(undefined, { kind: 'field', name: 'name' })).toThrow(before('@Field before name'));
    expect(() => itemType({})(Boat, { kind: 'class', name: 'Boat' })).toThrow(before('@ItemType before Boat'));
  });

  it('refuse a static member, which no item has', () => {
    expect(() => field(label)(Boat, 'name')).toThrow(/^@Field before the static name of Boat: /);
  });

  it('refuse to declare a class twice, but not a class and one that extends it', () => {
    class Ferry extends BaseItem {}
    ItemType({ displayName: 'Ferry' })(Ferry as ItemTypeClass);
    expect(() => ItemType()(Ferry as ItemTypeClass)).toThrow(/ Ferry .*@ItemType more than once/);
    expect(() => ItemType()(class CarFerry extends Ferry {} as ItemTypeClass)).not.toThrow();
  });
});

describe('the code of an item type', () => {
  const named = (name: string, code: string) => {
    const type = { [name]: class extends BaseItem {} }[name] as ItemTypeClass;
    ItemType({ code })(type);
    return type.name;
  };

  it('gives the class its name, which a minifier may have taken, unless it says the same', () => {
    expect(named('m', 'recipe')).toBe('Recipe');
    expect(named('PriceList', 'pricelist')).toBe('PriceList');
  });

  it('is refused where no class could have it', () => {
    expect(() => named('Recipe', 'price-list')).toThrow(/^code of @ItemType of the class Recipe .*"price-list"$/);
  });
});

describe('definePlugin', () => {
  it.each([
    [undefined, /: definePlugin\(\{ id: … \}\)/],
    ['boats', /: definePlugin\(\{ id: … \}\)/],
    [{ id: 'boats', itemTypes: BaseItem }, /^itemTypes .*\[BaseItem\]/],
    [{ id: 'boats', itemTypes: {} }, /^itemTypes .*list/],
  ])('of %p: %s', (definition, named) => {
    expect(() => define(definition)).toThrow(named);
  });
});
