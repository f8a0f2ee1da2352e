import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { warnDeprecated } from '../src/deprecation';

it('a deprecation names the plugin of the package whose file uses it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-test-'));
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "@acme/boats", "gantry": { "id": "boats" } }');
    // Some builds put another package.json beside their modules, to mark the format of these.
    writeFileSync(join(folder, 'lib/package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'lib/use.js'), 'module.exports = (call) => call();');
    const use = createRequire(__filename)(join(folder, 'lib/use.js')) as (call: () => void) => void;

    use(warnDeprecated.bind(undefined, 'GANTRY_DEP001'));

    const [text] = warn.mock.calls[0] ?? [];
    expect(text).toMatch(/ The plugin boats uses it at \/.*\/lib\/use\.js:1:\d+\. Use the id as text/);
  } finally {
    warn.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  }
});
