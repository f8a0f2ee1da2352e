/** SQL that makes a document of a text, with a paragraph for each line, for the migration of a field; NULL for blank text. */
export function documentOfText(column: string, fromType: string): string | undefined {
  if (!['text', 'character varying', 'character'].includes(fromType)) return undefined;
  const text = `rtrim(regexp_replace(${column}, E'\\r\\n?', E'\\n', 'g'), E'\\n')`;
  const json = `to_jsonb(replace(${text}, E'\\n', ${lineEnd}))::text`;
  const paragraphs = `replace(${json}, ${lineEnd}, '"}]},{"type":"paragraph","content":[{"type":"text","text":"')`;
  const document =
    `replace('{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":' || ${paragraphs} || '}]}]}',` +
    ` ',"content":[{"type":"text","text":""}]', '')`;
  return (
    `CASE WHEN ${column} ~ '[^[:space:]]' THEN` +
    ` jsonb_build_object('doc', (${document})::jsonb, 'text', normalize(${plainText(text)}, NFC)) END`
  );
}

/** A character that no text may have, in place of the end of a line, which JSON would write as two others. */
const lineEnd = 'chr(65535)';

/** Paragraphs without text have no line in the text of a document. */
function plainText(text: string): string {
  return `regexp_replace(ltrim(${text}, E'\\n'), E'\\n+', E'\\n', 'g')`;
}
