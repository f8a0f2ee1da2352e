import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireHomeLease } from '../src/home/home-lease';
import { openDatabase } from '../src/servers/open-database';
import { makeHome, removeHomes } from './support/homes';

afterEach(removeHomes);

const { version } = JSON.parse(readFileSync(join(__dirname, '../../host/package.json'), 'utf8')) as { version: string };

function homeWith(content: string): string {
  const home = makeHome();
  mkdirSync(home);
  writeFileSync(join(home, 'home.json'), content);
  return home;
}

describe('the format of a home', () => {
  it('is written by the process that keeps it', () => {
    const home = makeHome();

    acquireHomeLease({ home }).release();

    expect(JSON.parse(readFileSync(join(home, 'home.json'), 'utf8'))).toEqual({
      formatVersion: 2,
      platformVersion: version,
    });
  });

  it('of a newer version is refused, and nothing of the home changes', async () => {
    const content = '{"formatVersion":3,"platformVersion":"9.1.0"}';
    const home = homeWith(content);
    const refusal = {
      message: expect.stringMatching(/ 9\.1\.0 .* format 3; .* formats up to 2\.$/),
      remedy: expect.stringMatching(/ 9\.1\.0 .*GANTRY_HOME/),
    };

    expect(() => acquireHomeLease({ home })).toThrow(expect.objectContaining(refusal));
    await expect(openDatabase({ home, purpose: 'a test', environment: {} })).rejects.toMatchObject(refusal);

    expect(readFileSync(join(home, 'home.json'), 'utf8')).toBe(content);
    expect(existsSync(join(home, 'lock'))).toBe(false);
  });

  it('of this or an earlier version is accepted, and names the version that uses it from then on', () => {
    const home = homeWith('{"formatVersion":1,"platformVersion":"0.0.9"}');

    acquireHomeLease({ home }).release();

    expect(readFileSync(join(home, 'home.json'), 'utf8')).toContain(`"platformVersion":"${version}"`);
  });

  it.each(['', '{"formatVersion":"1"}', '[]'])('that cannot be read is an error: %p', (content) => {
    const home = homeWith(content);

    expect(() => acquireHomeLease({ home })).toThrow(join(home, 'home.json'));
  });
});
