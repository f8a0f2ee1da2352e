import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '@gantry/core-common';

describe('the key that encrypts secrets', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'gantry-key-'))));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('is made once in the home, for its owner only', () => {
    const sealed = createSecretBox(home, undefined).seal('a secret', '12');

    expect(createSecretBox(home, undefined).open(sealed, '12')).toBe('a secret');
    expect(statSync(join(home, 'secret-key')).mode & 0o777).toBe(0o600);
  });

  it('opens no text of another user, of another key, or one that was changed', () => {
    const box = createSecretBox(home, undefined);
    const sealed = box.seal('a secret', '12');
    const other = createSecretBox(home, Buffer.alloc(32, 7).toString('base64'));

    expect(() => box.open(sealed, '13')).toThrow();
    expect(() => other.open(sealed, '12')).toThrow();
    for (const part of [1, 2, 3]) expect(() => box.open(withChangedByte(sealed, part), '12')).toThrow();
  });

  it('is replaced while others use it', () => {
    const [running, command] = [createSecretBox(home, undefined), createSecretBox(home, undefined)];
    const earlier = running.seal('earlier', '12');
    command.addKey();
    const later = command.seal('later', '12');

    expect([running.open(later, '12'), running.open(earlier, '12'), command.open(earlier, '12')]).toEqual([
      'later',
      'earlier',
      'earlier',
    ]);
    command.addKey();
    command.dropOldKeys();
    const fresh = createSecretBox(home, undefined);
    expect(fresh.open(later, '12')).toBe('later');
    expect(() => fresh.open(earlier, '12')).toThrow(/another key/);
    expect(fresh.open(running.seal('again', '12'), '12')).toBe('again');
    expect(statSync(join(home, 'secret-key')).mode & 0o777).toBe(0o600);
  });

  it('may be the first of several in GANTRY_SECRET_KEY', () => {
    const [first = '', second = ''] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const sealed = createSecretBox(home, second).seal('a secret', '12');
    const both = createSecretBox(home, `${first},${second}`);
    both.addKey();

    expect(both.open(sealed, '12')).toBe('a secret');
    expect(createSecretBox(home, first).open(both.seal('a secret', '12'), '12')).toBe('a secret');
    expect(() => createSecretBox(home, `${first},`).seal('a', '1')).toThrow(/^GANTRY_SECRET_KEY .* 32 bytes/);
  });

  it('must have 32 bytes', () => {
    expect(() => createSecretBox(home, 'c2hvcnQ=').seal('a', '1')).toThrow(/^GANTRY_SECRET_KEY .* 32 bytes/);
  });
});

/** The text with one bit of a part (1 nonce, 2 tag, 3 ciphertext) changed. */
function withChangedByte(sealed: string, part: number): string {
  const parts = sealed.split('.');
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return parts.with(part, bytes.toString('base64url')).join('.');
}
