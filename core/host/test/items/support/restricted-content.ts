import { tmpdir } from 'node:os';
import { GantryError, type ItemTypeClass } from '@gantry/plugin-api';
import { createApp, type AppParts } from '../../../src/http/app';
import { createJsonReader } from '../../../src/http/body';
import { createHttpMessages } from '../../../src/http/http-messages';
import { createMetrics } from '../../../src/http/metrics';
import { requestIdOf } from '../../../src/http/request-context';
import { listen } from '../../../src/http/server';
import { hasItems } from '../../../src/items/has-items';
import { itemsWith } from '../../../src/items/items-with';
import { createOpenPolicy } from '../../../src/items/policy/open-policy';
import type { Policy } from '../../../src/items/policy/policy';
import { restrictTypes } from '../../../src/items/policy/restrict-types';
import { anonymousScope } from '../../../src/items/policy/scope';
import { createOpenApiDocument } from '../../../src/openapi';
import { createRecordedLogger } from '../../database/support/recorded-logger';
import { declareType } from './declare-type';
import { openTypes, type OpenTypes } from './open-types';

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
    { unique: [['code'], ['hiddenKey']], searchResult: { label: 'hiddenName', subLabel: 'code' } },
  );
  const Review = declareType('Review', {
    text: { required: true, searchable: true },
    book: { type: 'REFERENCE', targetEntity: () => Book, searchable: true },
    hiddenBook: { type: 'REFERENCE', targetEntity: () => Book },
  });
  const HiddenNote = declareType('HiddenNote', { code: {}, book: { type: 'REFERENCE', targetEntity: () => Book } });
  return [HiddenShelf, Book, Review, HiddenNote];
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
  const messages = createHttpMessages();
  const server = await listen(
    createApp({ ...platformParts(content), ...itemParts(content, { open, restricted }), messages }),
    { host: '127.0.0.1', port: 0 },
    messages,
  );
  return {
    ...content,
    open,
    restricted,
    address: `http://127.0.0.1:${server.port}`,
    async close() {
      await server.close(1_000);
      await content.close();
    },
  };
}

function restrict({ types }: Policy): Policy {
  const isHidden = (name: string): boolean => /hidden/i.test(name);
  const visibility = {
    showsType: ({ code }: { readonly code: string }) => !isHidden(code),
    showsField: (_type: unknown, { name }: { readonly name: string }) => !isHidden(name),
    isWritable: () => true,
  };
  return {
    types: restrictTypes(types, visibility),
    may: (action, { code }) => !(code === 'review' && (action === 'delete' || action === 'export')),
  };
}

function itemParts(
  { database, repository, writer, bulk }: OpenTypes,
  { open, restricted }: { readonly open: Policy; readonly restricted: Policy },
) {
  return {
    scopeOf: (request) =>
      anonymousScope(request.headers['x-restricted'] === undefined ? open : restricted, requestIdOf(request)),
    findType({ policy }, code) {
      const type = policy.types.find(code);
      if (type === undefined) throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
      return type;
    },
    repository,
    writer,
    itemsWith: (scope, field, value) => itemsWith(scope, repository, field, value),
    hasItems: (scope) => hasItems(scope, database),
    imports: { bulk, spoolFolder: `${tmpdir()}/gantry-policy-${process.pid}`, limit: 1e6, maxLineLength: 1e5 },
    exports: { database },
    openApi: ({ policy }) =>
      JSON.stringify(
        createOpenApiDocument({
          types: policy.types.served().map(({ descriptor }) => descriptor),
          routes: [],
          version: '0.0.0',
          bodyLimit: 1,
        }),
      ),
  } satisfies Partial<AppParts>;
}

/** What has nothing to do with items. */
function platformParts({ database }: OpenTypes) {
  const notUsed = () => {
    throw new Error('not used here');
  };
  return {
    gate: () => undefined,
    health: { readiness: notUsed },
    metrics: createMetrics(database),
    logger: createRecordedLogger(),
    readJson: createJsonReader(1e6),
    hidePaths: (text: string) => text,
    report: notUsed,
    findUiFile: notUsed,
    docs: { files: new Map(), csp: '' },
    changes: notUsed as never,
    assertServed: () => undefined,
    enter: <T>(_plugin: string, code: () => T) => code(),
    routes: [],
    mounts: [],
  };
}
