import { itemActions, type Grant, type ItemAction } from '@gantry/contracts';
import type { ItemTypeClass } from '@gantry/plugin-api';
import { requestIdOf } from '@gantry/core-http';
import { createOpenPolicy, type Policy, createRolePolicy, userScope, createImageRights } from '@gantry/core-content';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from './serve-items';

/** Rights of one grant on a type. */
export interface TypeGrant {
  readonly actions: readonly ItemAction[];
  readonly fields: readonly string[];
  readonly writable: readonly string[];
  readonly where?: Grant['where'];
}

/** Grants by type code; a type that is absent is hidden. */
export type TestRole = Readonly<Partial<Record<string, readonly TypeGrant[]>>>;

/** Fields that hold what a role may hide. Keys and required fields are always shown: that a key is in use cannot be hidden. */
export const libraryFields: Readonly<Record<string, readonly string[]>> = {
  shelf: ['code', 'title', 'room'],
  book: ['code', 'alias', 'price', 'note', 'lent', 'cover', 'shelf', 'shelves'],
  review: ['text', 'stars', 'book'],
};
export const keyFields: Readonly<Record<string, string>> = { shelf: 'code', book: 'code', review: 'text' };

function declareLibrary(): readonly ItemTypeClass[] {
  const Shelf = declareType(
    'Shelf',
    { code: { required: true, searchable: true }, title: { searchable: true }, room: { searchable: true } },
    { unique: [['code']], searchResult: { label: 'title', subLabel: 'code' } },
  );
  const Book = declareType(
    'Book',
    {
      code: { required: true, searchable: true },
      alias: { searchable: true },
      price: { type: 'NUMBER', searchable: true },
      note: { type: 'TEXT', searchable: true },
      lent: { type: 'BOOLEAN', searchable: true },
      cover: { type: 'IMAGE' },
      shelf: { type: 'REFERENCE', targetEntity: () => Shelf, searchable: true },
      shelves: { type: 'REFERENCE', targetEntity: () => Shelf, cardinality: 'MULTIPLE' },
    },
    {
      unique: [['code']],
      heading: 'alias',
      columns: ['code', 'alias', 'price'],
      editableColumns: ['alias'],
      searchResult: { label: 'alias', subLabel: 'note' },
      attention: [{ title: 'Noted books', where: { alias: 'a a1' } }],
    },
  );
  const Review = declareType('Review', {
    text: { required: true, searchable: true },
    stars: { type: 'NUMBER', searchable: true },
    book: { type: 'REFERENCE', targetEntity: () => Book, searchable: true },
  });
  return [Shelf, Book, Review];
}

/** A library over HTTP, whose requests are under the policy that was set last; with the header `x-open`, under the open one. */
export interface Library extends OpenTypes {
  readonly address: string;
  setRole(role: TestRole): void;
  /** Whether the policy shows an image, as it is for a request to its file. */
  showsImage(address: string): Promise<boolean>;
}

export async function openLibrary(): Promise<Library> {
  const content = await openTypes(declareLibrary());
  const open = createOpenPolicy(content.types);
  let current: Policy = open;
  // No answer is kept: each question comes a minute after the one before.
  let now = 0;
  const images = createImageRights(content.database, content.types, () => (now += 60_000));
  const served = await serveItems(content, (request) =>
    request.headers['x-open'] === undefined
      ? userScope(current, '7', requestIdOf(request))
      : userScope(open, 'local', requestIdOf(request)),
  );
  return {
    ...content,
    ...served,
    showsImage: (address) => images.isShown(current, [address]),
    setRole(role) {
      current = createRolePolicy(content.types, grantsOf(role), { id: '7', login: 'ann@example.org' });
    },
  };
}

function grantsOf(role: TestRole): readonly Grant[] {
  return Object.entries(role).flatMap(([type, grants = []]) =>
    grants.map(({ actions, fields, writable, where }) => ({
      on: { plugin: 'workshop', type },
      actions: itemActions.filter((action) => actions.includes(action)),
      // No list is more than one of all fields: it shows the authors, too.
      ...(fields.length === libraryFields[type]?.length ? {} : { readableFields: fields }),
      writableFields: writable,
      ...(where === undefined ? {} : { where }),
    })),
  );
}
