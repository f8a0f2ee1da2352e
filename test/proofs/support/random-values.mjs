/** Random values of every field of the sample `assortment`, as JSON texts: a number keeps its digits. */

/** Sent value and expected value, which differ where the platform stores one form only. */
const same = (sent) => ({ sent, found: sent });
const json = (value) => same(JSON.stringify(value));

/** @param ids of `suppliers`, and addresses of uploaded `files` */
export function createValues(random, { suppliers, files }) {
  const parts = createParts(random);
  return {
    ...plainValues(parts),
    ...valuesWithParts(parts),
    ...references(parts, suppliers),
    file: () => json(parts.pick(files)),
  };
}

function createParts(random) {
  const below = (count) => Math.floor(random() * count);
  const pick = (values) => values[below(values.length)];
  const many = (most, make) => Array.from({ length: below(most + 1) }, make);
  const digits = (count) => Array.from({ length: count }, () => below(10)).join('');
  const hex = (count) => Array.from({ length: count }, () => below(16).toString(16)).join('');
  const word = () => Array.from({ length: 1 + below(8) }, () => (10 + below(26)).toString(36)).join('');
  const line = () => `${pick(beginnings)}${many(4, () => pick(pieces)).join('')}${word()}${pick(['', ' ', ...pieces])}`;
  return {
    ...{ random, below, pick, many, digits, hex, word, line },
    text: () => many(5, line).join(pick(['\n', '\n\n', '\t', ' '])) || line(),
    whole: (count) => `${pick(['', '-'])}${1 + below(9)}${digits(below(count))}`,
    day: () => `${String(1 + below(9_999)).padStart(4, '0')}-${two(1 + below(12))}-${two(1 + below(28))}`,
    chosen: (values) => values.filter(() => random() < 0.5).toSorted(() => random() - 0.5),
  };
}

function plainValues({ random, below, pick, digits, hex, word, line, text, whole, day, chosen }) {
  return {
    string: () => json(line()),
    choice: () => json(pick(['NEW', 'OLD', 'MENDED'])),
    text: () => json(text()),
    integer: () => same(pick([whole(9), '0', '2147483647', '-2147483648'])),
    long: () => same(pick([whole(18), '9223372036854775807', '-9223372036854775808'])),
    decimal: () => same(`${whole(15)}.${digits(4)}`),
    double: () => same(String((random() - 0.5) * 10 ** (below(40) - 20))),
    boolean: () => same(pick(['true', 'false'])),
    image: () => json(pick([`/media/${hex(20)}.png`, `https://${word()}.example/${word()}.jpg?size=%20`])),
    date: () => json(day()),
    datetime: () => instant({ below, pick }),
    time: () => json(`${two(below(24))}:${two(below(60))}:${two(below(60))}.${digits(3)}`),
    option: () => json(pick(['S', 'M', 'L'])),
    options: () => json(chosen(['RED', 'GREEN', 'BLUE'])),
    email: () => json(`${word()}+${word()}@${word()}.example.org`),
    url: () => json(`https://${word()}.example/${word()}?q=${word()}#${word()}`),
    color: () => json(`#${hex(6)}`),
    uuid: () => json(`${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`),
    slug: () => json(`${word()}-${word()}`),
  };
}

function instant({ below, pick }) {
  const [hours, minutes, seconds, milliseconds] = [below(24), below(60), below(60), below(1_000)];
  const local = Date.UTC(1900 + below(250), below(12), 1 + below(28), hours, minutes, seconds, milliseconds);
  const offset = pick([0, 60, -300, 345, 840, -720]);
  const distance = `${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${distance}`;
  return {
    sent: JSON.stringify(new Date(local).toISOString().replace('Z', zone)),
    found: JSON.stringify(new Date(local - offset * 60_000).toISOString()),
  };
}

function valuesWithParts(parts) {
  const { below, pick, many, digits, word, line, whole } = parts;
  const wrapped = () => pick([() => `{"a":${anyJson(parts)}}`, () => `[${anyJson(parts)}]`])();
  const block = () => randomBlock(parts);
  return {
    json: () => same(wrapped()),
    keyValue: () => json(Object.fromEntries([0, 1, 2].slice(below(3)).map((index) => [`${word()}${index}`, line()]))),
    money: () => same(`{"amount":${whole(14)}.${digits(4)},"currency":"${pick(['EUR', 'USD', 'JPY', 'KWD'])}"}`),
    richText: () => json({ type: 'doc', content: [block(), ...many(3, block)] }),
    entries: () => same(`[${[entry(parts), ...many(3, () => entry(parts))].join(',')}]`),
  };
}

function anyJson(parts, depth = 0) {
  const { below, pick, many, digits, word, line, whole } = parts;
  switch (pick(['text', 'number', 'flag', ...(depth > 2 ? [] : ['list', 'object', 'object'])])) {
    case 'text':
      return JSON.stringify(pick(['', line()]));
    case 'number':
      return `${whole(20)}.${digits(3)}${1 + below(9)}`;
    case 'flag':
      return pick(['true', 'false', 'null']);
    case 'list':
      return `[${many(4, () => anyJson(parts, depth + 1)).join(',')}]`;
    default:
      return `{${many(4, (_none, index) => `"${word()}${index}":${anyJson(parts, depth + 1)}`).join(',')}}`;
  }
}

function randomBlock({ pick, line }) {
  const node = () => ({ type: 'text', text: line(), ...pick([{}, { marks: [{ type: 'bold' }] }]) });
  const paragraph = () => ({ type: 'paragraph', content: [node()] });
  return pick([
    paragraph,
    () => ({ type: 'heading', attrs: { level: 2 }, content: [node()] }),
    () => ({ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph()] }] }),
    () => ({ type: 'horizontalRule' }),
  ])();
}

function entry({ random, below, pick, digits, word, line, text, whole, day }) {
  const parts = [
    `"note":${JSON.stringify(text())}`,
    `"size":${whole(8)}.${digits(2)}${1 + below(9)}`,
    `"primary":${pick(['true', 'false'])}`,
    `"since":"${day()}"`,
    `"at":"20${digits(2)}-0${1 + below(9)}-1${digits(1)}T1${digits(1)}:${two(below(60))}:00.000Z"`,
    `"opens":"${two(below(24))}:${two(below(60))}:00"`,
    `"kind":"${pick(['A', 'B'])}"`,
    `"url":"https://${word()}.example/?q=%25"`,
  ];
  return `{${[`"label":${JSON.stringify(line())}`, ...parts.filter(() => random() < 0.6)].join(',')}}`;
}

function references({ pick, chosen }, supplierIds) {
  return {
    supplier: () => same(pick(supplierIds)),
    suppliers: () => same(`[${chosen(supplierIds).slice(0, 4).join(',')}]`),
  };
}

function two(value) {
  return String(value).padStart(2, '0');
}

/** Texts that spreadsheets run, that CSV quotes, and that programs take for something else. */
const beginnings = ['', '', '', '=1+1', '@', '-', "'", ' ', '"', 'null', 'true', '[', '{', '0'];
const pieces = [
  '"',
  "'",
  ',',
  ';',
  '|',
  '\\',
  '%',
  '_',
  '<b>',
  '&amp;',
  'Ä',
  'é',
  '日本語',
  '🌱',
  '𝒳',
  '$1',
  '\\N',
  ':',
  '#',
];
