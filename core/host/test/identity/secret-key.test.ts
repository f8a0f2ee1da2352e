import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '../../src/identity/secret-key';

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

  it('must have 32 bytes', () => {
    expect(() => createSecretBox(home, 'c2hvcnQ=').seal('a', '1')).toThrow(
      'GANTRY_SECRET_KEY must be 32 bytes in base64',
    );
  });
});

/** The text with one bit of a part (1 nonce, 2 tag, 3 ciphertext) changed. */
function withChangedByte(sealed: string, part: number): string {
  const parts = sealed.split('.');
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return parts.with(part, bytes.toString('base64url')).join('.');
}
