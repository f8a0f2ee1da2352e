import { identifier, literal, snakeCase } from '@gantry/core-database';
import { spacedWords } from '../src/naming';

describe('snakeCase', () => {
  it.each([
    ['code', 'code'],
    ['catalogVersion', 'catalog_version'],
    ['sku2Code', 'sku2_code'],
    ['parseURLText', 'parse_urltext'],
    ['A', 'a'],
    ['already_snake', 'already_snake'],
  ])('makes %s %s', (name, expected) => {
    expect(snakeCase(name)).toBe(expected);
  });
});

describe('identifier', () => {
  it('joins its parts, with no hyphen', () => {
    expect(identifier('admin-ui', 'saved_view', 'idx')).toBe('admin_ui_saved_view_idx');
  });

  it('leaves a name of 63 bytes as it is and shortens one of 64 to 63', () => {
    expect(identifier('x'.repeat(63))).toBe('x'.repeat(63));
    expect(identifier('x'.repeat(64))).toMatch(/^x{52}_[0-9a-f]{10}$/);
  });

  it('gives long names that differ anywhere different short names, always the same', () => {
    const [first, second] = [identifier('x'.repeat(80), 'a'), identifier('x'.repeat(80), 'b')];
    expect(first).not.toBe(second);
    expect(identifier('x'.repeat(80), 'a')).toBe(first);
  });

  it('counts bytes, and cuts no character in two', () => {
    const name = identifier('ä'.repeat(40));
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(name).not.toContain('\ufffd');
  });
});

describe('literal', () => {
  it.each([
    ['plain', "'plain'"],
    ["it's", "'it''s'"],
    ["''", "''''''"],
  ])('quotes %s as %s', (text, expected) => {
    expect(literal(text)).toBe(expected);
  });
});

describe('spacedWords', () => {
  it.each([
    ['TopEventComponent', 'Top Event Component'],
    ['Product', 'Product'],
    ['Http2Route', 'Http2 Route'],
  ])('reads %s as %s', (name, expected) => {
    expect(spacedWords(name)).toBe(expected);
  });
});
