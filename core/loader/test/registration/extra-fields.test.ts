import { definePlugin, Field, type PluginDefinition } from '@gantry/plugin-api';
import { checkExtraFields, extraNames } from '../../src/registration/extra-fields';

class Seo {
  @Field({ displayName: 'Title' }) declare title: string;
}
class SeoOfProducts extends Seo {
  @Field({ displayName: 'Picture', type: 'IMAGE' }) declare picture: string;
}

const define = (extraFields: unknown): PluginDefinition =>
  definePlugin({ id: 'seo', extraFields: extraFields as NonNullable<PluginDefinition['extraFields']> });

describe('extra fields of a definition', () => {
  it('have the names that manifests have', () => {
    const definition = define([{ type: 'catalog.Product', fields: SeoOfProducts }]);
    expect(checkExtraFields(definition)).toEqual([]);
    expect(extraNames(definition)).toEqual(['product.picture', 'product.title']);
  });

  it.each([
    ['a text', 'all', /not a list/],
    ['no type', [{ fields: Seo }], / number 1 /],
    ['no class', [{ type: 'catalog.Product', fields: 'Seo' }], / number 1 /],
    ['a type that is the class itself', [{ type: Seo, fields: Seo }], / number 1 /],
    ['a unique set that is no list', [{ type: 'catalog.Product', fields: Seo, unique: ['title'] }], / number 1 /],
    ['an unknown member', [{ type: 'catalog.Product', fields: Seo, label: 'title' }], / number 1 /],
  ])('are refused with %s', (_what, extraFields, reason) => {
    expect(checkExtraFields(define(extraFields))).toMatchObject([
      { code: 'EXTRA_FIELDS_INVALID', reason: expect.stringMatching(reason) as string },
    ]);
  });
});
