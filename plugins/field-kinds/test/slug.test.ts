import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugKind } from '../src/slug';
import { slugOf } from '../src/slug-of';

describe('a slug of a text', () => {
  it.each([
    ['Spring Sale 2026', 'spring-sale-2026'],
    ['  Größe & Æther: Łódź, Þór  ', 'grosse-aether-lodz-thor'],
    ['Crème brûlée', 'creme-brulee'],
    ['ŠKODA Đakovo', 'skoda-dakovo'],
    ['İstanbul Işık', 'istanbul-isik'],
    ["Don't — it’s 50%", 'dont-its-50'],
    ['ﬁnal ½ ²', 'final-1-2-2'],
    ['日本語 2', '2'],
    ['日本語', ''],
    ['--- !!', ''],
    ['', ''],
  ])('%j is %j', (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  it('is the same on the pages, which import nothing of the server', () => {
    const [server, pages] = ['src', 'web/src'].map((folder) =>
      readFileSync(join(__dirname, '..', folder, 'slug-of.ts'), 'utf8'),
    );
    expect(pages).toBe(server);
  });

  it('has at most 200 characters, also with a number', () => {
    const { derivation } = slugKind.of('field-kinds');
    const slug = slugOf('ab '.repeat(1_000_000));
    expect(slug).toHaveLength(200);
    const numbered = derivation?.alternative?.(slug, 1_000, {} as never);
    expect(numbered).toMatch(/[ab]-1000$/);
    expect(String(numbered).length).toBeLessThanOrEqual(200);
  });

  it.each([
    [{}, []],
    [{ from: 'title' }, []],
    [{ from: 7 }, [expect.stringMatching(/ from .*\{ from: 'title' \}/)]],
    [{ form: 'title' }, [expect.stringMatching(/ form; .* from$/)]],
  ])('is declared by %j', (settings, problems) => {
    expect(slugKind.checkSettings(settings)).toEqual(problems);
  });
});
