import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironmentFile, readProjectEnvironment } from '../src/context/environment-file';

describe('the file .env of a project', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-env-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives the settings that are not commented out', () => {
    writeFileSync(join(folder, '.env'), '# GANTRY_HOST=0.0.0.0\nGANTRY_PORT=8080\nSMTP_URL="smtp://127.0.0.1:25"\n');
    expect(readEnvironmentFile(folder)).toEqual({ GANTRY_PORT: '8080', SMTP_URL: 'smtp://127.0.0.1:25' });
  });

  it('is read in the folder of a project or a plugin, and in one that is named, but in no other', async () => {
    writeFileSync(join(folder, '.env'), 'GANTRY_PORT=8080\n');
    const settings = { GANTRY_PORT: '8080' };
    expect(await readProjectEnvironment(undefined, folder)).toEqual({});
    expect(await readProjectEnvironment(folder)).toEqual(settings);
    writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "express": "5" } }');
    expect(await readProjectEnvironment('', folder)).toEqual({});
    writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "@gantry/cli": "^1.1.0" } }');
    expect(await readProjectEnvironment(undefined, folder)).toEqual(settings);
    writeFileSync(join(folder, 'package.json'), '{ "gantry": {} }');
    expect(await readProjectEnvironment(undefined, folder)).toEqual(settings);
  });

  it('need not exist', () => {
    expect(readEnvironmentFile(folder)).toEqual({});
  });
});
