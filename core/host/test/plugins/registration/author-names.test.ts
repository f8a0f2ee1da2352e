import { BaseItem, definePlugin, Field, ItemType } from '@gantry/plugin-api';
import { authorNameWarnings } from '../../../src/plugins/registration/author-names';

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
