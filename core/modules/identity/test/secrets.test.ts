import { createApiTokenText, createSecret, hashSecret, publicIdOf } from '../src/tokens/secrets';

describe('secrets', () => {
  it('have 256 random bits, and their hash tells nothing about them', () => {
    const secrets = Array.from({ length: 100 }, createSecret);

    expect(new Set(secrets).size).toBe(100);
    expect(secrets.every((secret) => /^[\w-]{43}$/.test(secret))).toBe(true);
    expect(hashSecret('a')).toBe(hashSecret('a'));
    expect(hashSecret('a')).not.toBe(hashSecret('b'));
  });
});

describe('an API token', () => {
  it('is found by its public id', () => {
    const { publicId, text } = createApiTokenText();

    expect(text).toMatch(/^gty_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}$/);
    expect(publicIdOf(text)).toBe(publicId);
  });

  it('with a typing error is recognised without asking the database', () => {
    const { text } = createApiTokenText();
    const other = text.endsWith('a') ? 'b' : 'a';

    for (const wrong of [text.slice(0, -1) + other, text.slice(1), `${text}a`, text.replace('gty_', 'gtx_'), '']) {
      expect(publicIdOf(wrong)).toBeUndefined();
    }
  });
});
