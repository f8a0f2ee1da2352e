import { workflowOf, type Plugin } from './plugin';

/** Tests of the runner that Node.js has: the contract test, and one for each part of the plugin. */
export function testFile(plugin: Plugin): string {
  const { displayName, itemType, routes, service } = plugin;
  const ownTests = [
    ...(itemType === undefined ? [] : [itemTest(itemType)]),
    ...(routes ? [routeTest(plugin)] : []),
    ...(service ? [serviceTest(plugin)] : []),
  ];
  return `import { strict as assert } from 'node:assert';
import { after, before, describe, test } from 'node:test';
import { join } from 'node:path';
import { startTestPlatform, testPlugin } from '@gantry/plugin-api/testing';
${
  itemType === undefined
    ? ''
    : `import { ${itemType} } from '../dist/index.js';
`
}
const folder = join(import.meta.dirname, '..');

// The contract test: the package, what its code registers, and every item type in a real platform.
const results = await testPlugin(folder);

describe('${displayName}: the contract of plugins', () => {
  for (const { name, outcome, reason } of results) {
    test(name, () => assert.equal(outcome, 'passed', reason));
  }
});

describe('${displayName}', () => {
  let platform;

  before(async () => {
    platform = await startTestPlatform({ plugins: [folder]${service ? ', temporal: true' : ''} });
  });

  after(() => platform?.stop());

${ownTests.length === 0 ? startTest : ownTests.join('\n')}});
`;
}

const startTest = `  test('is started by the platform', async () => {
    assert.equal((await fetch(new URL('/livez', platform.address))).status, 200);
  });
`;

function itemTest(itemType: string): string {
  return `  test('keeps what it is given', async () => {
    const items = platform.items.of(${itemType});
    const { id } = await items.create({ name: 'First', price: '12.50' });
    assert.deepEqual(await items.find({ name: 'First' }), await items.get(id));
    await assert.rejects(items.create({ name: 'Second', price: '-1.00' }), { code: 'VALIDATION_FAILED' });
  });
`;
}

function routeTest({ id, itemType }: Plugin): string {
  const path = `/${id}/${itemType === undefined ? 'greeting' : 'latest'}`;
  return `  test('answers GET ${path}', async () => {
    const { status, data } = await platform.http.request('GET', '${path}');
    assert.equal(status, 200);
    assert.ok(data);
  });
`;
}

function serviceTest({ id }: Plugin): string {
  return `  test('starts the workflow ${workflowOf(id)}', async () => {
    const answer = () => platform.http.request('POST', '/${id}/greetings', { body: { name: 'Ada' } });
    let { status, data } = await answer();
    // 503 while Temporal starts.
    for (let left = 600; status === 503 && left > 0; left -= 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ({ status, data } = await answer());
    }
    assert.equal(status, 202);
    assert.match(data.workflowId, /^${id}-/);
  });
`;
}
