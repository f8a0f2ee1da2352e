import { itemActions } from '@gantry/contracts';
import type { ItemTypeClass } from '@gantry/plugin-api';
import { requestIdOf } from '@gantry/core-http';
import { createOpenPolicy, type Policy, createRolePolicy, userScope } from '@gantry/core-content';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from './serve-items';

/** Types of which a policy hides all whose name has the word `hidden`, and such fields. */
function declareLibrary(): readonly ItemTypeClass[] {
  const HiddenShelf = declareType(
    'HiddenShelf',
    { code: { required: true, searchable: true } },
    { unique: [['code']] },
  );
  const Book: ItemTypeClass = declareType(
    'Book',
    {
      hiddenName: { default: 'hidden name', required: true, searchable: true },
      code: { required: true, searchable: true },
      hiddenKey: { searchable: true },
      shelf: { type: 'REFERENCE', targetEntity: () => HiddenShelf, searchable: true },
      shelves: { type: 'REFERENCE', targetEntity: () => HiddenShelf, cardinality: 'MULTIPLE' },
    },
    {
      unique: [['code'], ['hiddenKey']],
      searchResult: { label: 'hiddenName', subLabel: 'code' },
      attention: [
        { title: 'First books', where: { code: 'B-1' } },
        { title: 'Hidden books', where: { hiddenKey: 'hidden key' } },
        { title: 'Lost books', where: { code: 'lost' } },
      ],
    },
  );
  const Review = declareType(
    'Review',
    {
      text: { required: true, searchable: true },
      book: { type: 'REFERENCE', targetEntity: () => Book, searchable: true },
      hiddenBook: { type: 'REFERENCE', targetEntity: () => Book },
    },
    { searchResult: ({ values: { text, hiddenBook } }) => ({ label: labelOf(hiddenBook), subLabel: String(text) }) },
  );
  const HiddenNote = declareType('HiddenNote', { code: {}, book: { type: 'REFERENCE', targetEntity: () => Book } });
  return [HiddenShelf, Book, Review, HiddenNote];
}

/** Expects the field, as the code of a plugin may. */
function labelOf(reference: unknown): string {
  return reference === null ? 'no book' : (reference as { readonly label: string }).label;
}

/** Content served over HTTP; requests with the header `x-restricted` are under the restricted policy. */
export interface RestrictedContent extends OpenTypes {
  readonly address: string;
  readonly open: Policy;
  readonly restricted: Policy;
}

export async function openRestrictedContent(): Promise<RestrictedContent> {
  const content = await openTypes(declareLibrary());
  const open = createOpenPolicy(content.types);
  const restricted = restrict(open);
  const served = await serveItems(content, (request) =>
    userScope(request.headers['x-restricted'] === undefined ? open : restricted, 'local', requestIdOf(request)),
  );
  return { ...content, open, restricted, ...served };
}

function restrict({ types }: Policy): Policy {
  const isHidden = (name: string): boolean => /hidden/i.test(name);
  const shown = types.all.filter(({ descriptor }) => !isHidden(descriptor.code));
  const grants = shown.map(({ descriptor: { plugin, code: type, fields } }) => ({
    on: { plugin, type },
    actions: itemActions.filter((action) => type !== 'review' || (action !== 'delete' && action !== 'export')),
    readableFields: fields.map(({ name }) => name).filter((name) => !isHidden(name)),
  }));
  return createRolePolicy(types, grants, { id: '7', login: 'ann@example.org' });
}
