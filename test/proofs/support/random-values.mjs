/** Random values of every field of the sample `assortment`, as JSON texts: a number keeps its digits. */

/** What was sent, and what is to be found, which differs where the platform stores one form only. */
const same = (sent) => ({ sent, found: sent });
const json = (value) => same(JSON.stringify(value));

export function createValues(random, supplierIds) {
  const below = (count) => Math.floor(random() * count);
  const pick = (values) => values[below(values.length)];
  const many = (most, make) => Array.from({ length: below(most + 1) }, make);
  const digits = (count) => Array.from({ length: count }, () => below(10)).join('');
  const hex = (count) => Array.from({ length: count }, () => pick([...'0123456789abcdef'])).join('');
  const word = () => Array.from({ length: 1 + below(8) }, () => pick([...'abcdefghijklmnopqrstuvwxyz'])).join('');
  const line = () => `${pick(beginnings)}${many(4, () => pick(pieces)).join('')}${word()}${pick(['', ' ', ...pieces])}`;
  const whole = (count) => `${pick(['', '-'])}${1 + below(9)}${digits(below(count))}`;
  const day = () => `${String(1 + below(9_999)).padStart(4, '0')}-${two(1 + below(12))}-${two(1 + below(28))}`;
  const time = () => `${two(below(24))}:${two(below(60))}:${two(below(60))}.${digits(3)}`;
  const text = () => many(5, line).join(pick(['\n', '\n\n', '\t', ' '])) || line();
  const node = () => ({ type: 'text', text: line(), ...pick([{}, { marks: [{ type: 'bold' }] }]) });
  const paragraph = () => ({ type: 'paragraph', content: [node()] });
  const block = () =>
    pick([
      paragraph,
      () => ({ type: 'heading', attrs: { level: 2 }, content: [node()] }),
      () => ({ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph()] }] }),
      () => ({ type: 'horizontalRule' }),
    ])();
  const anything = (depth) => {
    const make = pick(depth > 2 ? ['text', 'number', 'flag'] : ['text', 'number', 'flag', 'list', 'object', 'object']);
    switch (make) {
      case 'text':
        return JSON.stringify(pick(['', line()]));
      case 'number':
        return `${whole(20)}.${digits(3)}${1 + below(9)}`;
      case 'flag':
        return pick(['true', 'false', 'null']);
      case 'list':
        return `[${many(4, () => anything(depth + 1)).join(',')}]`;
      default:
        return `{${many(4, (_none, index) => `${JSON.stringify(`${word()}${index}`)}:${anything(depth + 1)}`).join(',')}}`;
    }
  };
  const instant = () => {
    const local = new Date(
      Date.UTC(1900 + below(250), below(12), 1 + below(28), below(24), below(60), below(60), below(1_000)),
    );
    const minutes = pick([0, 60, -300, 345, 840, -720]);
    const sign = minutes < 0 ? '-' : '+';
    const offset =
      minutes === 0 ? 'Z' : `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
    const found = new Date(local.getTime() - minutes * 60_000).toISOString();
    return { sent: JSON.stringify(local.toISOString().replace('Z', offset)), found: JSON.stringify(found) };
  };
  const entry = () => {
    const parts = [
      `"note":${JSON.stringify(text())}`,
      `"size":${whole(8)}.${digits(2)}${1 + below(9)}`,
      `"primary":${pick(['true', 'false'])}`,
      `"since":"${day()}"`,
      `"kind":"${pick(['A', 'B'])}"`,
      `"url":"https://${word()}.example/?q=%25"`,
    ];
    return `{${[`"label":${JSON.stringify(line())}`, ...parts.filter(() => random() < 0.6)].join(',')}}`;
  };
  const chosen = (values) => values.filter(() => random() < 0.5).toSorted(() => random() - 0.5);
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
    datetime: instant,
    time: () => json(time()),
    option: () => json(pick(['S', 'M', 'L'])),
    options: () => json(chosen(['RED', 'GREEN', 'BLUE'])),
    email: () => json(`${word()}+${word()}@${word()}.example.org`),
    url: () => json(`https://${word()}.example/${word()}?q=${word()}#${word()}`),
    color: () => json(`#${hex(6)}`),
    uuid: () => json(`${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`),
    slug: () => json(`${word()}-${word()}`),
    json: () => same(pick([`{"a":${anything(0)}}`, `[${anything(0)}]`])),
    keyValue: () => json(Object.fromEntries([0, 1, 2].slice(below(3)).map((index) => [`${word()}${index}`, line()]))),
    money: () => same(`{"amount":${whole(14)}.${digits(4)},"currency":"${pick(['EUR', 'USD', 'JPY', 'KWD'])}"}`),
    richText: () => json({ type: 'doc', content: [block(), ...many(3, block)] }),
    entries: () => same(`[${[entry(), ...many(3, entry)].join(',')}]`),
    supplier: () => same(String(pick(supplierIds))),
    suppliers: () => same(`[${chosen(supplierIds).slice(0, 4).join(',')}]`),
  };
}

function two(value) {
  return String(value).padStart(2, '0');
}

/** What spreadsheets run, what CSV quotes, and what programs take for something else. */
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
