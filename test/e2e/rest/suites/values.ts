import { Client } from 'pg';
import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf } from '../../../support/rest-client';

/** Values of every kind, from the request to the database and back. */
export function describeValues(host: TestHost): void {
  const items = itemsOf(host);

  /** The value of a key in the text of a row, digit for digit. */
  function rawValue(text: string, key: string): string | undefined {
    return new RegExp(`"${key}":("(?:[^"\\\\]|\\\\.)*"|[^,{}[\\]]+)`).exec(text)?.[1];
  }

  /** Creates a gauge from raw JSON and gives the raw JSON of the field in the answer and when read again. */
  async function roundTrip(field: string, raw: string): Promise<readonly (string | undefined)[]> {
    const created = await items.create('gauge', `{"${field}":${raw}}`);
    if (created.status !== 201) return [created.text];
    const read = await items.get(`gauge/${created.json.data.id}`);
    return [rawValue(created.text, field), rawValue(read.text, field)];
  }

  describe('the workbench', () => {
    it('starts with all its types', () => {
      expect(host.report.plugins.map(({ id, state, problems }) => ({ id, state, problems }))).toEqual(
        ['articles', 'catalog', 'events', 'workbench'].map((id) => ({ id, state: 'started', problems: [] })),
      );
      expect(host.report.schemaDifferences).toEqual([]);
    });
  });

  describe('numbers', () => {
    it.each([
      ['small', '-32768', '-32768'],
      ['small', '32767', '32767'],
      ['rating', '1', '1'],
      ['rating', '5.0', '5'],
      ['whole', '-2147483648', '-2147483648'],
      ['whole', '2147483647', '2147483647'],
      ['whole', '1e3', '1000'],
      ['whole', '120e-1', '12'],
      ['whole', '-0', '0'],
      ['whole', '0e99999', '0'],
      ['long', '-9223372036854775808', '-9223372036854775808'],
      ['long', '9223372036854775807', '9223372036854775807'],
      ['long', '9007199254740993', '9007199254740993'],
      ['price', '999999999999999.9999', '999999999999999.9999'],
      ['price', '-999999999999999.9999', '-999999999999999.9999'],
      ['price', '0.0001', '0.0001'],
      ['price', '12.5', '12.5000'],
      ['price', '1234500e-4', '123.4500'],
      ['price', '-0.0', '0.0000'],
      ['exact', '0.123456789012345678901234567890123456789', '0.123456789012345678901234567890123456789'],
      ['exact', '123456789012345678901234567890.5', '123456789012345678901234567890.5'],
      ['exact', '1e-400', `0.${'0'.repeat(399)}1`],
      ['exact', '1e400', `1${'0'.repeat(400)}`],
      ['double', '0.1', '0.1'],
      ['double', '1.7976931348623157e308', '1.7976931348623157e+308'],
      ['double', '5e-324', '5e-324'],
      ['double', '-2.5e-10', '-2.5e-10'],
      ['real', '0.1', '0.1'],
      ['real', '3.4028235e38', '3.4028235e+38'],
      ['bounded', '-0.5', '-0.50'],
      ['bounded', '99.95', '99.95'],
    ])('keeps every digit of %s %s', async (field, sent, stored) => {
      expect(await roundTrip(field, sent)).toEqual([stored, stored]);
    });

    it.each([
      ['small', '-32769', 'OUT_OF_RANGE', '-32768'],
      ['small', '32768', 'OUT_OF_RANGE', '32767'],
      ['rating', '0', 'OUT_OF_RANGE', '1'],
      ['rating', '6', 'OUT_OF_RANGE', '5'],
      ['whole', '2147483648', 'OUT_OF_RANGE', '-2147483648 and 2147483647'],
      ['whole', '-2147483649', 'OUT_OF_RANGE', '-2147483648 and 2147483647'],
      ['whole', '1.5', 'WRONG_TYPE'],
      ['whole', '1e-400', 'WRONG_TYPE'],
      ['whole', '1e99999', 'OUT_OF_RANGE', 'exponent'],
      ['whole', '"5"', 'WRONG_TYPE'],
      ['whole', 'true', 'WRONG_TYPE'],
      ['whole', '[1]', 'WRONG_TYPE'],
      ['whole', '{"value":"1","isLosslessNumber":true}', 'WRONG_TYPE'],
      ['long', '9223372036854775808', 'OUT_OF_RANGE', '-9223372036854775808 and 9223372036854775807'],
      ['long', '-9223372036854775809', 'OUT_OF_RANGE', '-9223372036854775808 and 9223372036854775807'],
      ['price', '1000000000000000', 'OUT_OF_RANGE', '15 digits before'],
      ['price', '0.00001', 'OUT_OF_RANGE', '4 digits after'],
      ['price', '"12.50"', 'WRONG_TYPE'],
      ['price', '"NaN"', 'WRONG_TYPE'],
      ['exact', '1e1001', 'OUT_OF_RANGE', 'exponent'],
      ['exact', '1'.repeat(1001), 'OUT_OF_RANGE', 'exponent'],
      ['double', '1e309', 'OUT_OF_RANGE', 'double-precision'],
      ['double', '1e400', 'OUT_OF_RANGE', 'double-precision'],
      ['double', '1e-400', 'OUT_OF_RANGE', 'double-precision'],
      ['real', '1e39', 'OUT_OF_RANGE', 'single-precision'],
      ['real', '1e-60', 'OUT_OF_RANGE', 'single-precision'],
      ['bounded', '-0.51', 'OUT_OF_RANGE', '-0.5'],
      ['bounded', '99.96', 'OUT_OF_RANGE', '99.95'],
    ])('refuses %s %s with %s', async (field, sent, code, named = field) => {
      const answer = await items.create('gauge', `{"${field}":${sent}}`);
      const message = expect.stringContaining(named);
      expect([answer.status, answer.json.error.code, answer.json.error.details]).toEqual([
        400,
        'VALIDATION_FAILED',
        [{ path: field, code, message }],
      ]);
      expect(answer.json.error.message).toContain(answer.json.error.details[0].message);
    });

    it.each(['NaN', 'Infinity', '-Infinity', '+1', '.5', '01', '0x10', '1_000', '1.', '1e'])(
      'refuses %s, which is no JSON',
      async (sent) => {
        const answer = await items.create('gauge', `{"double":${sent}}`);
        expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
        expect(answer.json.error.message).toContain('JSON');
      },
    );
  });

  describe('the characters of a text', () => {
    it('is stored in one form, so that keys that look the same are the same', async () => {
      const id = await items.created('keyed', { code: 'Caf\u0065\u0301', first: ' e\u0301 ' });
      const stored = await items.get(`keyed/${id}`);

      expect(stored.json.data.values).toMatchObject({ code: 'Café', first: 'é' });
      for (const code of ['Café', 'Cafe\u0301', ' Café', 'Café\u00a0']) {
        const repeated = await items.create('keyed', { code });
        expect([repeated.status, repeated.json.error.details[0].path]).toEqual([409, 'code']);
        const found = await items.list('keyed', '', [{ field: 'code', operator: 'EQUALS', value: code }]);
        expect(found.json.data.map((row: { id: number }) => row.id)).toEqual([id]);
      }
    });

    it.each(['\u0001', '\u200b', '\u202e', '\ufeff', '\ufff9', '\u2800', '\uffff'])(
      'does not take the invisible character %j',
      async (character) => {
        const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
        const answer = await items.create('keyed', { code: `a${character}b` });

        const message = expect.stringContaining(`U+${code}`);
        expect([answer.status, answer.json.error.details]).toEqual([
          400,
          [{ path: 'code', code: 'CHARACTER', message }],
        ]);
      },
    );

    it('of earlier versions is still read and found', async () => {
      const client = new Client({ connectionString: host.databaseUrl });
      await client.connect();
      await client.query(`INSERT INTO workbench_gauge (name) VALUES (E'old\\u200b\\u0001 ')`);
      await client.end();
      const answer = await items.list('gauge', '', [{ field: 'name', operator: 'EQUALS', value: 'old\u200b\u0001 ' }]);

      expect(answer.json.data.map((row: { values: { name: string } }) => row.values.name)).toEqual([
        'old\u200b\u0001 ',
      ]);
    });
  });

  describe('numbers that JSON does not have', () => {
    it('are shown as null where a statement of a plugin has stored them', async () => {
      const client = new Client({ connectionString: host.databaseUrl });
      await client.connect();
      await client.query(
        `INSERT INTO workbench_gauge (name, "double", real, price, exact)
       VALUES ('odd', 'NaN', 'Infinity', 'NaN', 'NaN'), ('odd', '-Infinity', 'NaN', 1.5, 2)`,
      );
      await client.end();
      const answer = await items.list('gauge', '?sort=id', [{ field: 'name', operator: 'EQUALS', value: 'odd' }]);
      expect(answer.json.data.map((row: { values: object }) => row.values)).toEqual([
        expect.objectContaining({ double: null, real: null, price: null, exact: null }),
        expect.objectContaining({ double: null, real: null, price: 1.5, exact: 2 }),
      ]);
    });
  });

  describe('text', () => {
    it.each([
      ['name', 'plain'],
      ['name', '  spaces are kept  '],
      ['name', ''],
      ['notes', 'quote " backslash \\ slash / tab \t line \n \u2028 \u202e'],
      ['name', "'; DROP TABLE workbench_gauge; --"],
      ['name', '$1 :name ?'],
      ['name', '𝒳'.repeat(40)],
      ['name', 'Ünïcödé ß ﬃ 日本 👩‍👩‍👧'],
      ['notes', 'x'.repeat(100_000)],
      ['colour', 'dark blue'],
      ['serial', 'AB-123'],
      ['picture', 'https://example.org/a.png?b=c#d'],
      ['picture', '/media/1.png'],
      ['on', true],
      ['on', false],
      ['on', null],
    ])('gives %s back as it came: %j', async (field, value) => {
      const id = await items.created('gauge', { [field]: value });
      expect((await items.row('gauge', id)).values[field]).toBe(value);
    });

    it.each([
      ['name', 'x'.repeat(41), 'TOO_LONG'],
      ['name', '𝒳'.repeat(41), 'TOO_LONG'],
      ['name', 5, 'WRONG_TYPE'],
      ['name', { a: 1 }, 'WRONG_TYPE'],
      ['name', 'nul \u0000', 'CHARACTER'],
      ['name', 'lone \ud800', 'CHARACTER'],
      ['name', 'a\ufffeb', 'CHARACTER'],
      ['notes', 'a\ufffab', 'CHARACTER'],
      ['notes', 'a\u{2ffff}b', 'CHARACTER'],
      ['name', '\udc00\ud800', 'CHARACTER'],
      ['notes', 'lone \udfff at the end', 'CHARACTER'],
      ['notes', 'x'.repeat(1_000_001), 'TOO_LONG'],
      ['colour', 'blue', 'NOT_AN_OPTION'],
      ['colour', '', 'NOT_AN_OPTION'],
      ['serial', 'AB-1234', 'PATTERN'],
      ['serial', 'AB-123\n', 'CHARACTER'],
      ['serial', 'AB-123 ', 'PATTERN'],
      ['picture', 'javascript:alert(1)', 'IMAGE_ADDRESS'],
      ['picture', '//other.example/x', 'IMAGE_ADDRESS'],
      ['picture', '/\\other.example/x', 'IMAGE_ADDRESS'],
      ['picture', 'data:image/png;base64,AA', 'IMAGE_ADDRESS'],
      ['picture', `https://e.org/${'a'.repeat(2048)}`, 'TOO_LONG'],
      ['on', 'true', 'WRONG_TYPE'],
      ['on', 1, 'WRONG_TYPE'],
    ])('refuses %s %j', async (field, value, code) => {
      const answer = await items.create('gauge', { [field]: value });
      expect([answer.status, problemsOf(answer)]).toEqual([400, [`${field}: ${code}`]]);
    });

    it('takes the default of a field that is not sent, and null where null is sent', async () => {
      const [absent, empty] = [
        await items.create('gauge', {}),
        await items.create('gauge', { colour: null, bounded: null }),
      ];
      expect([absent.json.data.values.colour, rawValue(absent.text, 'bounded')]).toEqual(['red', '1.50']);
      expect([empty.json.data.values.colour, empty.json.data.values.bounded]).toEqual([null, null]);
    });
  });

  describe('columns by plain decorators', () => {
    it('are written and read under the name that the author or Sequelize gave them', async () => {
      const id = await items.created('plain', { parseURLText: 'a', chosen: 'b', title: 'c' });
      expect((await items.row('plain', id)).values).toMatchObject({ parseURLText: 'a', chosen: 'b', title: 'c' });
      const changed = await items.patch('plain', id, { parseURLText: 'd', chosen: 'e' });
      expect(changed.json.data.values).toMatchObject({ parseURLText: 'd', chosen: 'e', title: 'c' });
    });

    it('bound the length of the field', async () => {
      const answer = await items.create('plain', { parseURLText: 'x'.repeat(13), chosen: 'x'.repeat(13) });
      expect([answer.status, problemsOf(answer)]).toEqual([400, ['parseURLText: TOO_LONG', 'chosen: TOO_LONG']]);
    });

    it('have the indexes and the uniqueness that their author declared', async () => {
      const client = new Client({ connectionString: host.databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ indexdef: string }>(
        `SELECT indexdef FROM pg_indexes WHERE tablename = 'workbench_plain' ORDER BY indexname`,
      );
      await client.query(`INSERT INTO workbench_plain (title) VALUES ('rank by itself')`);
      await client.end();
      const definitions = rows.map((row) => row.indexdef.replace(/^.* ON public\./, ''));
      expect(definitions).toContain('workbench_plain USING btree (hidden_rank, title)');
      expect((await items.create('plain', { onlyOne: 'same' })).status).toBe(201);
      const answer = await items.create('plain', { onlyOne: 'same' });
      const problems = ['onlyOne: NOT_UNIQUE'];
      expect([answer.status, answer.json.error.code, problemsOf(answer)]).toEqual([409, 'CONFLICT', problems]);
    });

    it('are no fields of a payload when none is declared', async () => {
      const answer = await items.create('plain', { hiddenRank: 1 });
      expect([answer.status, problemsOf(answer)]).toEqual([400, ['hiddenRank: UNKNOWN_FIELD']]);
    });
  });

  describe('references without target', () => {
    it('are fields without a value, and say so to who sends one', async () => {
      const { json } = await items.get('hermit/metadata');
      expect(json.data.fields).toMatchObject([
        { name: 'name' },
        { name: 'partner', type: 'REFERENCE', reference: '', referenceCardinality: 'SINGLE' },
        { name: 'friends', type: 'REFERENCE', reference: '', referenceCardinality: 'MULTIPLE' },
      ]);
      const id = await items.created('hermit', { name: 'Ann', partner: '', friends: [] });
      expect((await items.row('hermit', id)).values).toMatchObject({ name: 'Ann', partner: null, friends: [] });
      expect((await items.patch('hermit', id, { name: 'Bo', partner: null })).status).toBe(200);
      const refused = await items.create('hermit', { partner: 1, friends: [1] });
      expect([refused.status, problemsOf(refused)]).toEqual([400, ['partner: NO_TARGET', 'friends: NO_TARGET']]);
      const listed = await items.list('hermit', '?sort=partner', [{ field: 'name', operator: 'EQUALS', value: 'Bo' }]);
      expect(listed.json.data.map((row: { id: number }) => row.id)).toEqual([id]);
      expect((await items.search('hermit', [{ field: 'name', operator: 'EQUALS', value: 'Bo' }])).status).toBe(200);
      const searched = await items.list('hermit', '', [{ field: 'partner', operator: 'EQUALS', value: '1' }]);
      expect([searched.status, problemsOf(searched)]).toEqual([400, [expect.stringContaining('NO_TARGET')]]);
    });
  });

  describe('names of more than 63 bytes', () => {
    const type = 'averylongclassnamewhosetableandindexesneednamesofmorethan63byte';
    const first = 'aFieldNameOfManyWordsThatIsLongerAsColumnThanADatabaseAllows';
    const second = 'aFieldNameOfManyWordsThatIsLongerAsColumnThanADatabaseAllowz';
    const reference = 'aReferenceOfManyWordsThatIsLongerAsColumnThanADatabaseAllow';
    const references = 'listOfManyReferencesWhoseTableIsLongerThanADatabaseAllows';

    it('are stored, presented, searched, sorted and kept unique like others', async () => {
      const other = await items.created(type, { [first]: 'one', [second]: 'two' });
      const id = await items.created(type, {
        [first]: 'three',
        [second]: 'four',
        [reference]: other,
        [references]: [other],
      });
      const label = { id: other, label: 'one' };
      expect((await items.row(type, id)).values).toMatchObject({
        [first]: 'three',
        [second]: 'four',
        [reference]: label,
        [references]: [label],
      });
      const found = await items.list(type, `?sort=${second}`, [
        { field: reference, operator: 'EQUALS', value: String(other) },
      ]);
      expect(found.json.data.map((row: { id: number }) => row.id)).toEqual([id]);
      expect((await items.create(type, { [first]: 'one' })).status).toBe(409);
    });
  });
}
