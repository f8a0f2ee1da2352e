import { tmpdir } from 'node:os';
import { GantryError } from '@gantry/plugin-api';
import { createApp, type AppDependencies } from '../../../src/http/app';
import { createJsonReader } from '../../../src/http/exchange/body';
import { createHttpMessages } from '../../../src/http/http-messages';
import { createMetrics } from '../../../src/http/platform/metrics';
import { listen } from '../../../src/http/server';
import { hasItems } from '../../../src/content/read/has-items';
import { itemsWith } from '../../../src/content/read/items-with';
import type { FieldTypes } from '../../../src/content/kinds/field-type';
import { shippedFieldTypes } from '../../../src/content/kinds/registry';
import { createOpenApiDocument } from '../../../src/openapi';
import { createRecordedLogger } from '../../database/support/recorded-logger';
import type { OpenTypes } from './open-types';

/** Items over HTTP, as the host serves them. */
export interface ServedItems {
  readonly address: string;
  /** Ends the server and closes the content. */
  close(): Promise<void>;
}

export async function serveItems(
  content: OpenTypes,
  scopeOf: AppDependencies['scopeOf'],
  fieldTypes: FieldTypes = shippedFieldTypes,
): Promise<ServedItems> {
  const messages = createHttpMessages();
  const server = await listen(
    createApp({ ...platformParts(content), ...itemParts(content, fieldTypes), scopeOf, messages }),
    { host: '127.0.0.1', port: 0 },
    messages,
  );
  return {
    address: `http://127.0.0.1:${server.port}`,
    async close() {
      await server.close(1_000);
      await content.close();
    },
  };
}

function itemParts({ database, repository, writer, bulk }: OpenTypes, fieldTypes: FieldTypes) {
  return {
    findType({ policy }, code) {
      const type = policy.types.find(code);
      if (type === undefined) throw new GantryError('TYPE_NOT_FOUND', `CMS Type not found: ${code}`);
      return type;
    },
    repository,
    writer,
    itemsWith: (scope, field, value) => itemsWith(scope, repository, field, value),
    hasItems: (scope) => hasItems(scope, database),
    imports: { bulk, spoolFolder: `${tmpdir()}/gantry-items-${process.pid}`, limit: 1e6, maxLineLength: 1e5 },
    exports: { database },
    openApi: ({ policy }) =>
      JSON.stringify(
        createOpenApiDocument({
          fieldTypes,
          types: policy.types.served().map(({ descriptor }) => descriptor),
          routes: [],
          version: '0.0.0',
          bodyLimit: 1,
        }),
      ),
  } satisfies Partial<AppDependencies>;
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
