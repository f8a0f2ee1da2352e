import { strict as assert } from 'node:assert';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { request, startPlatform } from '../../scripts/lib/gantry.mjs';
import { root } from '../../scripts/lib/run.mjs';

/**
 * Claim: whatever is wrong with a plugin, a check finds it and names the rule; and where the check was skipped, the platform leaves the
 * plugin out, says why, and serves the others. That a change of workflows does not fit open ones is shown by the tests of checks with Temporal.
 */
export const sizes = {
  ci: {
    sound: ['plugins'],
    only: ['throws', 'exits', 'registers-twice', 'lies', 'own-sequelize', 'other-type', 'traverses', 'floods'],
  },
  full: { sound: ['plugins', 'services'] },
};

const empty = (id, more = '') =>
  `const { definePlugin } = require('@gantry/plugin-api');\nexports.default = definePlugin({ id: '${id}', ${more} });\n`;

/** By id: the entry file, what else the package has, the rule of the check, and `serves` where the platform runs it nevertheless. */
const faults = {
  throws: { code: "throw new TypeError('no such thing');", rule: 'code/load-failed' },
  waits: { code: 'await new Promise(() => {});', isModule: true, rule: 'code/plugin-hung' },
  hangs: { code: 'for (;;);', rule: 'code/plugin-hung' },
  exits: { code: 'process.reallyExit(3);', rule: 'code/plugin-crashed' },
  allocates: {
    code: 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));',
    rule: 'code/check-memory-exceeded',
  },
  floods: {
    code: empty(
      'floods',
      "register: ({ logger }) => { for (let n = 0; n < 50_000; n += 1) logger.info({ n }, 'again'); }",
    ),
    rule: 'code/log-flood',
    serves: true,
  },
  'registers-twice': {
    code: empty(
      'registers-twice',
      "register: ({ router }) => { for (const n of [1, 2]) router.add({ method: 'GET', path: '/registers-twice', operationId: `read${n}`, summary: 'Twice', access: 'signed-in', handler: async () => ({}) }); }",
    ),
    gantry: { contributes: { routes: ['GET /registers-twice'] } },
    rule: 'code/route-invalid',
  },
  lies: { code: empty('lies'), gantry: { contributes: { itemTypes: ['lie'] } }, rule: 'code/contribution-mismatch' },
  'own-sequelize': {
    code: `require('sequelize-typescript');\n${empty('own-sequelize')}`,
    files: {
      'node_modules/sequelize-typescript/package.json': '{ "name": "sequelize-typescript", "version": "2.1.6" }',
      'node_modules/sequelize-typescript/index.js': 'exports.Model = class Model {};',
    },
    json: { dependencies: { 'sequelize-typescript': '^2.1.6' } },
    rule: 'code/duplicate-module',
  },
  'needs-missing': {
    code: empty('needs-missing'),
    gantry: { dependsOn: { nothing: '^1.0.0' } },
    rule: 'dependencies/dependency-missing',
  },
  'cycle-one': {
    code: empty('cycle-one'),
    gantry: { dependsOn: { 'cycle-two': '^1.0.0' } },
    rule: 'dependencies/dependency-cycle',
  },
  'cycle-two': {
    code: empty('cycle-two'),
    gantry: { dependsOn: { 'cycle-one': '^1.0.0' } },
    rule: 'dependencies/dependency-cycle',
  },
  'other-type': {
    code: empty('other-type'),
    gantry: { contributes: { itemTypes: ['article'] } },
    rule: 'names/displaces-plugin',
  },
  'takes-queue': {
    code: empty('takes-queue'),
    gantry: { contributes: { taskQueues: ['order-tq'] } },
    rule: 'names/displaces-plugin',
  },
  traverses: { code: empty('traverses'), json: { main: '../throws/index.js' }, rule: 'manifest/entry-missing' },
};

export default async function prove({ size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-faulty-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const ids = size.only ?? Object.keys(faults);
  const plugins = join(folder, 'plugins');
  for (const id of ids) writePlugin(plugins, id, faults[id]);
  cpSync(join(root, 'test/samples/recipes'), join(plugins, 'recipes'), { recursive: true });
  const platform = await startPlatform(join(folder, 'home'), {
    GANTRY_PLUGIN_PATH: [...size.sound.map((name) => join(root, name)), plugins].join(delimiter),
    LOG_LEVEL: 'info',
  });
  try {
    await assertServes(platform);
    const { data } = JSON.parse((await request(platform, 'GET', '/api/platform/plugins')).text);
    for (const id of ids) {
      const { state, problems } = data.plugins.find((plugin) => plugin.id === id) ?? {};
      const isOut = state !== undefined && state !== 'started' && problems.length > 0;
      assert.ok(faults[id].serves ? state === 'started' : isOut, `${id} is ${state}: ${JSON.stringify(problems)}`);
      log(`${id}: ${state}${problems.length > 0 ? `, ${problems[0].code}` : ''}`);
    }
    for (const id of ids) await assertFound(platform, id);
    await assertServes(platform);
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return `${ids.length} faulty plugins: each is found by the check, and without it the others serve`;
}

function writePlugin(plugins, id, { code, isModule = false, json, gantry, files = {} }) {
  const all = {
    'package.json': JSON.stringify({
      ...{ name: `gantry-plugin-${id}`, version: '1.0.0', main: './index.js', type: isModule ? 'module' : 'commonjs' },
      peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
      gantry: { manifestVersion: 1, id, displayName: id, ...gantry },
      ...json,
    }),
    'index.js': code,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    const file = join(plugins, id, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

async function assertServes(platform) {
  for (let count = 0; count < 20; count += 1) {
    const { status, text } = await request(platform, 'POST', '/api/cms/items/recipe/list', []);
    assert.equal(status, 200, text);
  }
}

async function assertFound({ address }, id) {
  const response = await fetch(new URL(`/api/platform/plugins/${id}/check`, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(180_000),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const lines = JSON.parse(text).data.lines.filter(({ outcome }) => outcome !== 'ok');
  const rules = lines.map(({ rule }) => rule);
  assert.ok(rules.includes(faults[id].rule), `The check of ${id} finds ${rules.join(', ') || 'nothing'}: ${text}`);
}
