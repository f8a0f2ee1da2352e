import { BaseItem, definePlugin, Field, ItemType } from '@gantry/plugin-api';
import { authorNameWarnings, labelWarnings } from '../../src/registration/declaration-warnings';

function definitionWith(...names: readonly string[]) {
  class Note extends BaseItem {}
  for (const name of names) Field({ displayName: name })(Note.prototype, name);
  ItemType({ displayName: 'Note' })(Note);
  return definePlugin({ id: 'notes', itemTypes: [Note] });
}

describe('fields with the names of the platform for authors', () => {
  it('are named by a warning each', () => {
    expect(authorNameWarnings(definitionWith('title', 'createdBy', 'updatedBy'))).toEqual([
      expect.stringMatching(/^Note\.createdBy /),
      expect.stringMatching(/^Note\.updatedBy /),
    ]);
  });

  it('are the only ones that are', () => {
    expect(authorNameWarnings(definitionWith('title', 'author'))).toEqual([]);
  });
});

describe('a label that only has the letters of name, title or code', () => {
  it.each(['namespaceId', 'encodedAt', 'codeId', 'renamed'])('is named by a warning: %s', (name) => {
    expect(labelWarnings(definitionWith('size', name))).toEqual([expect.stringContaining(`Note comes from ${name}`)]);
  });

  it.each(['name', 'productCode', 'filename', 'subTITLE', 'titles', 'code2', 'name_de', 'codeOfColor'])(
    'is not: %s',
    (name) => {
      expect(labelWarnings(definitionWith(name, 'namespaceId'))).toEqual([]);
    },
  );
});
