import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Creates items of the type `vault` all the time, whatever its field is called, and remembers those that were acknowledged. */
export function startVaultClients(platform, random) {
  const written = new Map();
  const unknown = new Set();
  let isStopped = false;
  let number = 0;
  const send = async (method, path, body) => {
    const response = await fetch(new URL(path, platform.address), {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, body: await response.json() };
  };
  const writeOne = async () => {
    const { body } = await send('GET', '/api/cms/items/vault/metadata');
    const name = body.data?.fields?.map((field) => field.name).find((one) => one.startsWith('note'));
    if (name === undefined) return false;
    number += 1;
    const code = `v${number}`;
    const note = `note ${Math.floor(random() * 1e9)}`;
    unknown.add(code);
    const { status } = await send('POST', '/api/cms/items/vault', { code, [name]: note });
    if (status === 201) written.set(code, note);
    if (status < 500) unknown.delete(code);
    return status === 201;
  };
  const work = (async () => {
    while (!isStopped) {
      const isWritten = await writeOne().catch(() => false);
      await delay(isWritten ? 20 : 150);
    }
  })();
  return {
    count: () => written.size,
    /** Every acknowledged item is there with its value, under whatever name, and nothing else is there. */
    check: () => checkRows(platform.databaseUrl, written, unknown),
    stop: async () => {
      isStopped = true;
      await work;
    },
  };
}

async function checkRows(databaseUrl, written, unknown) {
  const expected = new Map(written);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT to_jsonb(stored) AS values FROM vault_vault AS stored');
    const found = new Map(rows.map(({ values }) => [values.code, Object.values(values)]));
    const lost = [...expected].filter(([code, note]) => found.get(code)?.includes(note) !== true);
    assert.deepEqual(lost.slice(0, 5), [], `${lost.length} of ${expected.size} rows are lost or changed`);
    const foreign = [...found.keys()].filter((code) => !written.has(code) && !unknown.has(code));
    assert.deepEqual(foreign, [], 'rows that no client has written');
  } finally {
    await client.end();
  }
}
