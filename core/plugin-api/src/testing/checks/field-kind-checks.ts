import { strict as assert } from 'node:assert';
import type { PluginReport, Row } from '@gantry/contracts';
import { isWithin } from './item-type-check';
import { itemsPath, type RowClient } from '../platform-client';

/** A platform with a type whose field `value` has the kind. */
export interface KindBench {
  readonly kind: string;
  readonly value: () => unknown;
  readonly refused: readonly unknown[];
  readonly text: (value: unknown) => string;
  readonly count: number;
  readonly address: string;
  readonly client: RowClient;
  /** Code of the type that has the field. */
  readonly type: string;
}

export type KindCheck = (bench: KindBench) => Promise<void>;

/** By the sentence that they check, in order; nothing holds when the first does not. */
export const fieldKindChecks: Readonly<Record<string, KindCheck>> = {
  'can be the kind of a field': isUsable,
  'gives back values as they were sent': givesBack,
  'takes a value that is sent again for no change': isSameAgain,
  'refuses wrong values with the name of the field': refusesWrong,
  'answers odd values without failing': survivesOdd,
  'keeps values in CSV files': (bench) => survivesFile(bench, 'csv', 'text/csv'),
  'keeps values in JSON files': (bench) => survivesFile(bench, 'jsonl', 'application/x-ndjson'),
  'keeps values in the history, from which they can be restored': survivesHistory,
  'finds values by the operators that its metadata names': isFound,
  'is sorted page by page': isSorted,
  'is described in the OpenAPI document': isDescribed,
};

async function isUsable({ client, kind, type }: KindBench): Promise<void> {
  const { data } = await client.request<{ readonly plugins: readonly PluginReport[] }>('GET', '/api/platform/plugins');
  const report = data.plugins.find(({ id }) => id === 'kind-sample');
  const problems = report?.problems.map(({ reason, remedy }) => `${reason}. ${remedy}`).join(' ');
  assert.equal(report?.state, 'started', `A plugin with a field of the kind is ${report?.state}. ${problems}`);
  const { fields } = await client.metadata(type);
  assert.equal(fields.find(({ name }) => name === 'value')?.type, kind);
}

async function createAll(
  { client, value, count, type }: KindBench,
  prefix: string,
): Promise<ReadonlyMap<Row, unknown>> {
  const created = new Map<Row, unknown>();
  for (let index = 0; index < count; index += 1) {
    const sent = value();
    const answer = await client.create(type, { key: `${prefix} ${index}`, value: sent });
    assert.equal(answer.status, 201, `Expected 201 for ${JSON.stringify(sent)}: ${answer.summary}`);
    created.set(answer.data, sent);
  }
  return created;
}

async function removeAll({ client, type }: KindBench): Promise<void> {
  for (;;) {
    const { data } = await client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list?limit=1000`, { body: [] });
    if (data.length === 0) return;
    for (const { id } of data) await client.remove(type, id);
  }
}

async function givesBack(bench: KindBench): Promise<void> {
  for (const [row, sent] of await createAll(bench, 'back')) {
    assert.deepEqual(row.values['value'], sent, 'A create answers another value than was sent');
    assert.deepEqual(
      (await bench.client.get(bench.type, row.id)).data.values['value'],
      sent,
      'A read gives another value',
    );
  }
  await removeAll(bench);
}

async function isSameAgain(bench: KindBench): Promise<void> {
  const { client, value, type } = bench;
  for (const [row, sent] of await createAll(bench, 'same')) {
    const same = await client.update(type, row.id, { value: sent });
    assert.equal(same.status, 200, `Expected 200: ${same.summary}`);
    assert.equal(same.data.values['version'], 1, `${JSON.stringify(sent)} sent again made a new version`);
    const other = value();
    const changed = await client.update(type, row.id, { value: other });
    assert.equal(changed.status, 200, `Expected 200: ${changed.summary}`);
    assert.deepEqual(changed.data.values['value'], other, 'An update answers another value than was sent');
  }
  await removeAll(bench);
}

async function refusesWrong({ client, refused, type }: KindBench): Promise<void> {
  for (const value of refused) {
    const answer = await client.create(type, { key: 'wrong', value });
    assert.equal(answer.status, 400, `Expected 400 for ${JSON.stringify(value)}: ${answer.summary}`);
    const [detail] = answer.error?.details ?? [];
    const path = detail?.path ?? '';
    assert.ok(isWithin(path, 'value'), 'The details do not name the field');
    assert.ok(detail?.message.startsWith(`${path} `), 'The message does not begin with the field, or its part');
  }
}

/** Values that any client may send. */
const oddValues: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '%',
    "'; --",
    '<script>alert(1)</script>',
    'javascript:alert(1)',
  ],
  ...[
    'NaN',
    'Infinity',
    '-0',
    '007',
    '007 EUR',
    '1,2,3',
    '1e400',
    'x'.repeat(10_000),
    'null',
    '{}',
    '[]',
    '2026-02-30',
    '24:00',
  ],
  ...[0, -1, 0.1, 1e21, 9_007_199_254_740_992, Number.MAX_VALUE, true, false],
  ...[[], {}, [[]], [null], { a: null }, { lat: '1', lng: [] }, { amount: 1 }, { __proto__: 1 }, ['a', 'a']],
  JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`),
];

async function survivesOdd(bench: KindBench): Promise<void> {
  const { client, type } = bench;
  for (const [index, value] of oddValues.entries()) {
    const answer = await client.create(type, { key: `odd ${index}`, value });
    assert.ok(
      [201, 400].includes(answer.status),
      `Expected 201 or 400 for ${JSON.stringify(value)}: ${answer.summary}`,
    );
    const criteria = [{ field: 'value', operator: 'EQUALS', value: String(value).slice(0, 1_000) }];
    for (const path of [`${itemsPath}/${type}/list`, `${itemsPath}/${type}/search`, `/api/cms/exports/${type}`]) {
      const found = await client.request('POST', path, { body: criteria });
      assert.ok(
        [200, 400].includes(found.status),
        `Expected 200 or 400 for ${JSON.stringify(criteria)} to ${path}: ${found.summary}`,
      );
    }
  }
  await removeAll(bench);
}

async function survivesFile(bench: KindBench, format: string, contentType: string): Promise<void> {
  const { address, client, type } = bench;
  const created = await createAll(bench, format);
  const { body } = await client.request('POST', `/api/cms/exports/${type}?format=${format}`);
  await removeAll(bench);
  const response = await fetch(new URL(`/api/cms/imports/${type}?match=key`, address), {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const report = await response.text();
  assert.equal(response.status, 200, `The import of an export answers ${report.slice(0, 500)}`);
  const { data } = await client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list?limit=1000`, { body: [] });
  const byKey = new Map(data.map(({ values }) => [values['key'], values['value']]));
  for (const [row, sent] of created) {
    assert.deepEqual(
      byKey.get(row.values['key']),
      sent,
      `${JSON.stringify(sent)} is another value after an export and import`,
    );
  }
  await removeAll(bench);
}

async function survivesHistory(bench: KindBench): Promise<void> {
  const { client, type } = bench;
  for (const [row, sent] of [...(await createAll({ ...bench, count: 5 }, 'history'))]) {
    const path = `${itemsPath}/${type}/${row.id}`;
    await client.update(type, row.id, { value: null });
    const first = await client.request<{ readonly values: Row['values'] }>('GET', `${path}/history/1`);
    assert.deepEqual(first.data.values['value'], sent, 'The history has another value than was sent');
    const restored = await client.request<Row>('POST', `${path}/restore`, { body: { version: 1 } });
    assert.equal(restored.status, 200, `Expected 200: ${restored.summary}`);
    assert.deepEqual(restored.data.values['value'], sent, 'A restore gives another value than was sent');
  }
  await removeAll(bench);
}

async function isFound(bench: KindBench): Promise<void> {
  const { client, text, type } = bench;
  const created = await createAll({ ...bench, count: Math.min(20, bench.count) }, 'found');
  const without = (await client.create(type, { key: 'without' })).data.id;
  const [{ operators = [] } = {}] = (await client.searchFields(type)).filter(({ name }) => name === 'value');
  const find = async (operator: string, value: string): Promise<readonly number[]> => {
    const body = [{ field: 'value', operator, value }];
    const answer = await client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list?limit=1000`, { body });
    assert.equal(answer.status, 200, `Expected 200 for ${operator} ${value}: ${answer.summary}`);
    return answer.data.map(({ id }) => id);
  };
  assert.deepEqual(await find('EMPTY', 'true'), [without], 'EMPTY true finds other items than that without a value');
  assert.equal((await find('EMPTY', 'false')).length, created.size, 'EMPTY false does not find all items with a value');
  for (const [{ id }, sent] of created) {
    const value = text(sent);
    if (operators.includes('EQUALS')) {
      assert.ok((await find('EQUALS', value)).includes(id), `EQUALS ${value} does not find it`);
    }
    if (operators.includes('NOT_EQUALS')) {
      assert.ok(!(await find('NOT_EQUALS', value)).includes(id), `NOT_EQUALS ${value} finds it`);
    }
    if (operators.includes('IN')) {
      assert.ok((await find('IN', JSON.stringify([value]))).includes(id), `IN ${value} does not find it`);
    }
    if (operators.includes('BETWEEN')) {
      assert.ok(
        (await find('BETWEEN', JSON.stringify([value, value]))).includes(id),
        `BETWEEN ${value} does not find it`,
      );
    }
  }
  await removeAll(bench);
}

async function isSorted(bench: KindBench): Promise<void> {
  const { client, type } = bench;
  await createAll({ ...bench, count: Math.min(20, bench.count) }, 'sorted');
  await client.create(type, { key: 'last' });
  const page = (query: string) =>
    client.request<readonly Row[]>('POST', `${itemsPath}/${type}/list?${query}`, { body: [] });
  for (const sort of ['value', '-value']) {
    const whole = await page(`sort=${sort}`);
    // A kind without an order says so.
    if (whole.status === 400 && whole.error?.message.startsWith('Cannot sort by') === true) continue;
    assert.equal(whole.status, 200, `Expected 200: ${whole.summary}`);
    const found: number[] = [];
    let after = '';
    do {
      const next = await page(`sort=${sort}&limit=4${after}`);
      assert.equal(next.status, 200, `Expected 200: ${next.summary}`);
      found.push(...next.data.map(({ id }) => id));
      const cursor = next.meta?.['nextCursor'];
      after = typeof cursor === 'string' ? `&after=${cursor}` : '';
    } while (after !== '');
    assert.deepEqual(
      found,
      whole.data.map(({ id }) => id),
      `Pages sorted by ${sort} are not the whole list`,
    );
  }
  await removeAll(bench);
}

async function isDescribed({ client, type }: KindBench): Promise<void> {
  const { body } = await client.request('GET', '/api/openapi.json');
  const { components } = JSON.parse(body) as {
    readonly components: {
      readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>;
    };
  };
  assert.ok(
    components.schemas[`${type.replace('kindsample', 'KindSample')}Create`]?.properties?.['value'],
    'The value has no schema',
  );
}
