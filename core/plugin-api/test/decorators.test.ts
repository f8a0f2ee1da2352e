import { BaseItem, definePlugin, Field, ItemType, type FieldOptions, type ItemTypeClass } from '../src';

/** What a newcomer writes, as compilers and plain JavaScript let it come here. */
const field = Field as (...given: readonly unknown[]) => (...target: readonly unknown[]) => void;
const itemType = ItemType as (...given: readonly unknown[]) => (...target: readonly unknown[]) => void;
const define = definePlugin as (definition: unknown) => unknown;
const label: FieldOptions = { displayName: 'Name' };

describe('the decorators', () => {
  class Boat extends BaseItem {}

  it('are called with parentheses, and say so where they are not', () => {
    expect(() => field(Boat.prototype, 'name')).toThrow('@Field needs options: @Field({ displayName: … })');
    expect(() => field(undefined, { kind: 'field', name: 'name' })).toThrow('@Field needs options');
    expect(() => itemType(Boat)).toThrow('@ItemType needs parentheses: @ItemType({ … }) before the class Boat');
  });

  it('name the setting that a compiler for standard decorators lacks', () => {
    const setting =
      'the compiler treated it as a standard decorator; set "experimentalDecorators": true in tsconfig.json';
    expect(() => field(label)(undefined, { kind: 'field', name: 'name' })).toThrow(`@Field before name: ${setting}`);
    expect(() => itemType({})(Boat, { kind: 'class', name: 'Boat' })).toThrow(`@ItemType before Boat: ${setting}`);
  });

  it('refuse a static member, which no item has', () => {
    expect(() => field(label)(Boat, 'name')).toThrow('@Field before the static name of Boat: leave out static');
  });

  it('refuse to declare a class twice, but not a class and one that extends it', () => {
    class Ferry extends BaseItem {}
    ItemType({ displayName: 'Ferry' })(Ferry as ItemTypeClass);
    expect(() => ItemType()(Ferry as ItemTypeClass)).toThrow('The class Ferry has @ItemType more than once');
    expect(() => ItemType()(class CarFerry extends Ferry {} as ItemTypeClass)).not.toThrow();
  });
});

describe('definePlugin', () => {
  it.each([
    [undefined, 'definePlugin needs an object: definePlugin({ id: … })'],
    ['boats', 'definePlugin needs an object: definePlugin({ id: … })'],
    [{ id: 'boats', itemTypes: BaseItem }, 'itemTypes of definePlugin must be a list of classes, such as [BaseItem]'],
    [{ id: 'boats', itemTypes: {} }, 'itemTypes of definePlugin must be a list of classes'],
  ])('of %p: %s', (definition, message) => {
    expect(() => define(definition)).toThrow(message);
  });
});
