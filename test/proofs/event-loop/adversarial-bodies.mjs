const mebibyte = 1024 * 1024;
const json = 'application/json';
const article = '/api/cms/items/article';

/** Bodies that are made to take long, each as large as it may be. */
export function* adversarialBodies(seed, random) {
  for (const [name, body] of Object.entries(texts())) yield* requestsWith(name, body);
  const next = createRandom(seed);
  for (let index = 0; index < random; index += 1) yield* requestsWith(`random ${index}`, randomText(next));
  yield* files();
  yield { name: 'a GIF of 800,000 frames', path: '/media/images', type: 'image/gif', body: gifOfFrames(800_000) };
  yield { name: 'a GIF of empty parts', path: '/media/images', type: 'image/gif', body: gifOfParts() };
}

/** The same text where an item, criteria of a list and of a search, and a selection are expected. */
function* requestsWith(name, body) {
  yield { name: `${name}, as an item`, path: article, type: json, body };
  yield { name: `${name}, as criteria`, path: `${article}/list`, type: json, body };
  yield { name: `${name}, as a search`, path: `${article}/search`, type: json, body };
  yield { name: `${name}, as a selection`, path: '/api/cms/exports/article', type: json, body };
}

function texts() {
  return {
    'a long text': filled('x', '{"title":"a","body":"', '"}'),
    'a long text beside a long number': filled('x', '{"a":1.0,"title":"a","body":"', '"}'),
    'a text of escapes': filled('\\u00e9', '{"title":"a","body":"', '"}'),
    'a text of backslashes': filled('\\\\', '{"title":"a","body":"', '"}'),
    'a text of combining marks': filled('\u0316\u0301', '{"title":"a","body":"a', '"}'),
    'a text of 30 combining marks each': filled(`a${'\u0301'.repeat(15)}${'\u0316'.repeat(15)}`, '{"body":"', '"}'),
    'a text of decomposed letters': filled('e\u0301', '{"title":"a","body":"', '"}'),
    'a text of invisible characters': filled('\u200d', '{"title":"', '"}'),
    'a text of joined emoji': filled('👩\u200d', '{"title":"', '"}'),
    'a text of half surrogates': filled('\\ud800', '{"title":"', '"}'),
    'a long key': filled('k', '{"', '":1}'),
    'a long number': filled('9', '{"title":', '}'),
    'a number of zeros': filled('0', '{"title":0.', '}'),
    spaces: filled(' ', '{', '}'),
    numbers: listed(() => '1'),
    'numbers that keep their digits': listed(() => '1.0'),
    'numbers that are no JSON': filled('1.0 ', '[', ']'),
    'empty objects': listed(() => '{}', 24_000),
    'nested arrays': filled(`${'['.repeat(60)}${']'.repeat(60)},`, '[', '[]]'),
    'nested open arrays': filled('[', '', ''),
    'many keys': `[${objects(2, 9_900, '1')}]`,
    'many keys and digits': `[${objects(2, 9_900, '1.0')}]`,
    'many keys, one of them twice': `[${objects(2, 9_900, '1')},{"a":1,"a":1}]`,
    'different keys in many objects': `[${objects(4_900, 4, '1.0')}]`,
    'more keys than are accepted': `[${objects(4, 9_900, '1.0')}]`,
    'many unknown fields': keys(19_900, 0, '"x"'),
    ids: `{"items":[${Array.from({ length: 49_000 }, (_id, index) => 9_007_199_254_000_000 + index).join(',')}]}`,
    references: `{"title":"a","articles":[${Array.from({ length: 49_000 }, (_id, index) => index + 1).join(',')}]}`,
    criteria: listed(() => '{"field":"title","operator":"CONTAINS","value":"a"}', 9_000),
    'a long criterion': filled('a\u0301', '[{"field":"title","operator":"CONTAINS","value":"', '"}]'),
    'a criterion of wildcards': filled('%', '[{"field":"title","operator":"CONTAINS","value":"', '"}]', 100_000),
    'criteria of wildcards': longCriteria('%'),
    'criteria of decomposed letters': longCriteria('e\u0301'),
    'criteria of combining marks': longCriteria(`a${'\u0301'.repeat(15)}${'\u0316'.repeat(15)}`),
  };
}

function* files() {
  const path = '/api/cms/imports/article?dryRun=true';
  const line = (body) => `{"title":"a","body":"${body}"}`;
  const long = filled('e\u0301', '{"title":"a","body":"', '"}');
  const jsonLines = 'application/x-ndjson';
  yield { name: 'long JSON lines', path, type: jsonLines, body: Array.from({ length: 8 }, () => long).join('\n') };
  for (const [name, part] of Object.entries({
    'of letters': 'x',
    'of escapes': '\\u00e9',
    'of decomposed letters': 'e\u0301',
  })) {
    const body = filled(part, '{"title":"a","price":1.0,"body":"', '"}', 15 * mebibyte);
    yield { name: `a JSON line of 15 MiB ${name}`, path, type: jsonLines, body };
  }
  yield {
    name: 'a JSON array with an element of 15 MiB of decomposed letters',
    path,
    type: json,
    body: filled('e\u0301', '[{"title":"a","price":1.0,"body":"', '"}]', 15 * mebibyte),
  };
  yield { name: 'short JSON lines', path, type: jsonLines, body: filled(`${line('b')}\n`, '', '') };
  yield { name: 'JSON lines of keys', path, type: jsonLines, body: `${keys(9_900, 0, '1.0')}\n`.repeat(8) };
  yield { name: 'lines that are no JSON', path, type: jsonLines, body: filled('x\n', '', '', mebibyte / 16) };
  yield {
    name: 'an array of items',
    path,
    type: json,
    body: filled(`${line('b')},`, '[', `${line('c')}]`),
  };
  yield { name: 'a file without a line break', path, type: jsonLines, body: filled('[', '', '') };
  yield { name: 'CSV of short rows', path, type: 'text/csv', body: filled('a,b\n', 'title,body\n', '') };
  yield { name: 'CSV of quotes', path, type: 'text/csv', body: filled('""', 'title,body\na,"', '"\n') };
  yield { name: 'CSV of delimiters', path, type: 'text/csv', body: filled(',', 'title,body\n', '\n') };
  yield {
    name: 'CSV of wrong rows',
    path,
    type: 'text/csv',
    body: `title,body\n${filled(`${','.repeat(9_999)}\n`, '', '')}`,
  };
  yield { name: 'CSV of long rows', path, type: 'text/csv', body: `title,body\n${filled('x', 'a,', '\n').repeat(8)}` };
}

/** A text of 1 MiB, or as many bytes as are asked for. */
function filled(part, head, tail, bytes = mebibyte) {
  const room = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return head + part.repeat(Math.floor(room / Buffer.byteLength(part))) + tail;
}

function listed(part, count = 49_000) {
  return `[${Array.from({ length: count }, (_part, index) => part(index)).join(',')}]`;
}

/** As many and as long as they may be together. */
function longCriteria(part) {
  const value = part.repeat(Math.floor(1_000 / part.length));
  return listed(() => `{"field":"title","operator":"CONTAINS","value":"${value}"}`, 100);
}

function keys(count, part, value) {
  return `{${Array.from({ length: count }, (_key, index) => `"k${part}_${index}":${value}`).join(',')}}`;
}

function objects(count, size, value) {
  return Array.from({ length: count }, (_object, part) => keys(size, part, value)).join(',');
}

/** Objects and arrays of all sorts of values up to 1 MiB, not always valid. */
function randomText(next) {
  const scalars = [
    '0',
    '-1.50',
    '1e9',
    '"a"',
    '"\\u0000"',
    '""',
    'null',
    'true',
    '9007199254740993',
    `"${'é'.repeat(400)}"`,
  ];
  const pick = (from) => from[Math.floor(next() * from.length)];
  const value = (depth) => {
    const kind = next();
    if (depth > 6 || kind < 0.5) return pick(scalars).repeat(next() < 0.001 ? 2 : 1);
    const parts = Array.from({ length: Math.floor(next() * 12) }, () => value(depth + 1));
    if (kind < 0.7) return `[${parts.join(',')}]`;
    return `{${parts.map((part) => `"${pick(['a', 'title', '__proto__', `k${Math.floor(next() * 1e6)}`])}":${part}`).join(',')}}`;
  };
  let text = '[';
  while (text.length < 0.9 * mebibyte) text += `${value(0)},`;
  return `${text}null]`;
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const gifHead = Buffer.from('GIF89a\u0001\0\u0001\0\u0080\0\0\0\0\0\u00ff\u00ff\u00ff', 'latin1');
const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);

function gifOfFrames(count) {
  return Buffer.concat([gifHead, ...Array.from({ length: count }, () => frame), Buffer.from([0x3b])]);
}

/** One extension of parts of a single byte: the structure is as long as it can be. */
function gifOfParts() {
  return Buffer.concat([gifHead, Buffer.from([0x21, 0xfe]), Buffer.alloc(16 * mebibyte, 1), Buffer.from([0, 0x3b])]);
}
