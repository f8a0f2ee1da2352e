import { doc, nestedBlocks, paragraph, text } from './documents';

export const link = (label: string) => ({ label, url: `https://example.org/${label}` });

/** Problem, field of a venue and JSON of its value. */
export const refusedVenues: readonly (readonly [string, string, string])[] = [
  ['1 MB of text', 'links', JSON.stringify([{ ...link('a'), label: 'x'.repeat(1_000_000) }])],
  ['a hundred levels', 'links', `${'['.repeat(100)}${']'.repeat(100)}`],
  ['sixty levels in a member', 'links', `[{"label":${'['.repeat(60)}${']'.repeat(60)}}]`],
  ['what is no array', 'links', '{"label":"a"}'],
  ['null as an entry', 'links', '[null]'],
  ['null in a member', 'links', '[{"label":"a","url":"https://example.org/","since":null}]'],
  ['a member twice', 'links', '[{"label":"a","label":"b","url":"https://example.org/"}]'],
  ['an unknown member', 'links', '[{"label":"a","url":"https://example.org/","other":1}]'],
  ['ten thousand entries', 'links', JSON.stringify(Array.from({ length: 10_000 }, () => 1))],
  ['1 MB of document', 'story', JSON.stringify(doc(paragraph(text('x'.repeat(1_000_000)))))],
  ['a document of a hundred levels', 'story', `${'{"type":"doc","content":['.repeat(50)}${']}'.repeat(50)}`],
  ['30 blocks within each other', 'story', nestedBlocks(30)],
  ['HTML', 'story', '"<p>a</p>"'],
  ['a script', 'story', JSON.stringify(doc({ type: 'script', content: [text('alert(1)')] }))],
  ['an event handler', 'story', JSON.stringify(doc({ ...paragraph(), attrs: { onclick: 'x()' } }))],
  ['a level of 1e400', 'story', '{"type":"doc","content":[{"type":"heading","attrs":{"level":1e400}}]}'],
  ['a number of 1e400 where the schema has a limit', 'seats', '{"rows":[1e400]}'],
  ['what is no number of JSON', 'seats', '{"rows":[NaN]}'],
  ['1 MB of JSON', 'seats', JSON.stringify({ rows: [], more: 'x'.repeat(1_000_000) })],
  ['JSON of a hundred levels', 'seats', `{"rows":${'['.repeat(100)}${']'.repeat(100)}}`],
];
