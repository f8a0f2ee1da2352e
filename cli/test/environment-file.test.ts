import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironmentFile } from '../src/context/environment-file';

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

  it('need not exist', () => {
    expect(readEnvironmentFile(folder)).toEqual({});
  });
});
