import type { Plugin } from './plugin-files';

export function testFile({ displayName }: Plugin): string {
  return `import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { testPlugin } from '@gantry/plugin-api/testing';

const folder = join(import.meta.dirname, '..');

// The contract test: the package, what its code registers, and every item type in a real platform.
const results = await testPlugin(folder);

describe('the contract of plugins', () => {
  for (const { name, outcome, reason } of results) {
    test(name, () => assert.equal(outcome, 'passed', reason));
  }
});
`.replace('the contract of plugins', `${displayName}: the contract of plugins`);
}
