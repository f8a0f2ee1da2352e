import { isGantryError } from '@gantry/plugin-api';
import { formatCursor, parseListQuery, type ListOptions, type ListQuery } from '../../src/query/list-query';
import { compile, declareType } from '../../../../test/support/content/declare-type';

const model = declareType('Sample', {
  name: { searchable: true },
  size: { type: 'NUMBER', column: 'INTEGER', searchable: true },
  secret: {},
  tags: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE', searchable: true },
});
const type = compile(model);

function parse(query: ListOptions): ListQuery {
  return parseListQuery(type, query);
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isGantryError(error) && error.code === 'BAD_REQUEST') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a list query', () => {
  it('asks for fifty rows, newest first, without a total, unless it says otherwise', () => {
    expect(parse({})).toEqual({
      limit: 50,
      sort: {
        name: 'id',
        column: '',
        descending: true,
        sqlType: 'bigint',
        nullable: false,
        isText: false,
        isIndexed: true,
      },
      after: undefined,
      total: undefined,
    });
  });

  it.each([
    ['id', { column: '', descending: false }],
    ['-id', { column: '', descending: true }],
    ['createdAt', { column: 'created_at', descending: false, sqlType: 'timestamptz' }],
    ['-updatedAt', { column: 'updated_at', descending: true }],
    ['name', { column: 'name', descending: false, nullable: true, sqlType: 'VARCHAR' }],
    ['-size', { column: 'size', descending: true, sqlType: 'INTEGER' }],
  ])('sorts by %s', (sort, expected) => {
    expect(parse({ sort }).sort).toMatchObject(expected);
  });

  it.each([
    '',
    '-',
    'secret',
    'tags',
    'version',
    'created_at',
    'NAME',
    '--id',
    '+id',
    'id,name',
    'constructor',
    '__proto__',
    'toString',
  ])('does not sort by %j', (sort) => {
    expect(messageOf(() => parse({ sort }))).toContain(' id, createdAt, updatedAt, name, size, ');
  });
});

describe('a cursor', () => {
  const sort = parse({ sort: 'name' }).sort;

  it.each([
    { value: 'Ünïcode "quoted"', id: '5' },
    { value: null, id: '9223372036854775807' },
    { value: '', id: '1' },
  ])('gives back the position %j', (position) => {
    expect(parse({ sort: 'name', after: formatCursor(sort, position) }).after).toEqual(position);
  });

  it('consists of letters that need no escape in a query', () => {
    expect(formatCursor(sort, { value: '?&=/+ü', id: '1' })).toMatch(/^[\w-]+$/);
  });

  it('stays short enough for an address, however long the text', () => {
    const after = formatCursor(sort, { value: `${'x'.repeat(499)}😀${'y'.repeat(1_000_000)}`, id: '7' });
    expect(after.length).toBeLessThan(1_000);
    expect(parse({ sort: 'name', after }).after).toEqual({ value: 'x'.repeat(499), id: '7', isCut: true });
  });

  it('belongs to one sort', () => {
    const after = formatCursor(sort, { value: 'a', id: '1' });
    for (const other of ['-name', 'size', 'id']) {
      expect(messageOf(() => parse({ sort: other, after }))).toMatch(/ after .*sort order/);
    }
  });

  it.each(
    [
      'null',
      '{}',
      '[]',
      '["name"]',
      '["name","a","1","more"]',
      '["name","a","1","cut","cut"]',
      '["name",null,"1","cut"]',
      '["name",1,"1"]',
      '["name",["a"],"1"]',
      '["name","a",1]',
      '["name","a","-1"]',
      '["name","a","0"]',
      '["name","a","1.5"]',
      '["name","a","9223372036854775808"]',
      '["name","a\\u0000","1"]',
      '["name","a\\ud800","1"]',
      'no json',
    ].map((text) => [text, Buffer.from(text).toString('base64url')]),
  )('made of %s is refused', (_text, after) => {
    expect(messageOf(() => parse({ sort: 'name', after }))).toMatch(
      /^The parameter after is not a cursor of this list/,
    );
  });

  it.each(['', '%%%', '=', '\u0000', 'é'])('of other characters, %j, is refused', (after) => {
    expect(messageOf(() => parse({ sort: 'name', after }))).toMatch(
      /^The parameter after is not a cursor of this list/,
    );
  });
});
