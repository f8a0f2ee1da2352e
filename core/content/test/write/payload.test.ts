import { parseJson, type JsonObject } from '@gantry/core-common';
import { describeProblems, parsePayload } from '../../src/write/values/payload';
import { compileFields } from '../../../../test/support/content/declare-type';

const type = compileFields({
  code: { required: true },
  name: {},
  size: { type: 'NUMBER', column: 'INTEGER', default: 3 },
  state: { options: ['NEW', 'OLD'], default: 'NEW', required: true },
  tags: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE' },
  owners: { type: 'REFERENCE', targetEntity: 'other.Thing', cardinality: 'MULTIPLE', required: true },
});

function read(json: string, mode: 'create' | 'update' = 'create') {
  const { values, problems } = parsePayload(type, parseJson(json) as JsonObject, mode);
  return { values: Object.fromEntries(values), problems: problems.map(({ path, code }) => `${path}: ${code}`) };
}

describe('a create payload', () => {
  it('gives the values that were sent, and defaults for the rest', () => {
    expect(read('{"code":"a","name":null,"owners":[2,1]}')).toEqual({
      values: { code: 'a', name: null, size: '3', state: 'NEW', owners: ['2', '1'] },
      problems: [],
    });
  });

  it('keeps an explicit null from taking the default', () => {
    expect(read('{"code":"a","owners":[1],"size":null,"tags":null}').values).toMatchObject({ size: null, tags: [] });
  });

  it('reports all problems at once: unknown keys first, then the fields in order', () => {
    const { problems } = read('{"id":1,"size":"x","state":"?","tags":[0],"version":2,"name":7}');
    expect(problems).toEqual([
      'id: UNKNOWN_FIELD',
      'version: UNKNOWN_FIELD',
      'code: REQUIRED',
      'name: WRONG_TYPE',
      'size: WRONG_TYPE',
      'state: NOT_AN_OPTION',
      'tags: WRONG_TYPE',
      'owners: REQUIRED',
    ]);
  });

  it.each(['null', '""', '"  \\t "'])('with %s for a required field is refused', (value) => {
    expect(read(`{"code":${value},"owners":[1]}`).problems).toEqual(['code: REQUIRED']);
  });

  it.each(['cover', 'maker'])('takes the empty text for an optional %s as no value', (name) => {
    const pictured = compileFields({
      cover: { type: 'IMAGE' },
      maker: { type: 'REFERENCE', targetEntity: 'other.Thing' },
    });
    const { values, problems } = parsePayload(pictured, { [name]: '' }, 'update');

    expect(problems).toEqual([]);
    expect(Object.fromEntries(values)).toEqual({ [name]: null });
  });

  it('takes the empty text for an optional list of references as the empty list, and for a required one as missing', () => {
    expect(read('{"code":"a","owners":[1],"tags":""}')).toMatchObject({ values: { tags: [] }, problems: [] });
    expect(read('{"code":"a","owners":""}').problems).toEqual(['owners: REQUIRED']);
  });

  it('does not take the empty text for a number, nor blanks for a reference, as no value', () => {
    expect(read('{"code":"a","owners":[1],"size":"","tags":" "}').problems).toEqual([
      'size: WRONG_TYPE',
      'tags: WRONG_TYPE',
    ]);
  });

  it.each(['null', '[]'])('with %s for a required list is refused', (value) => {
    expect(read(`{"code":"a","owners":${value}}`).problems).toEqual(['owners: REQUIRED']);
  });

  it('names keys that every object has as unknown, and reads no inherited value', () => {
    const { problems } = read(
      '{"__proto__":{"code":"a"},"constructor":1,"hasOwnProperty":2,"toString":3,"owners":[1]}',
    );
    expect(problems).toEqual([
      '__proto__: UNKNOWN_FIELD',
      'constructor: UNKNOWN_FIELD',
      'hasOwnProperty: UNKNOWN_FIELD',
      'toString: UNKNOWN_FIELD',
      'code: REQUIRED',
    ]);
    expect(({} as { code?: string }).code).toBeUndefined();
  });
});

describe('an update payload', () => {
  it('gives the values that were sent and nothing else', () => {
    expect(read('{"name":"b"}', 'update')).toEqual({ values: { name: 'b' }, problems: [] });
    expect(read('{}', 'update')).toEqual({ values: {}, problems: [] });
  });

  it('cannot empty a required field', () => {
    expect(read('{"code":null,"state":" ","owners":[]}', 'update').problems).toEqual([
      'code: REQUIRED',
      'state: REQUIRED',
      'owners: REQUIRED',
    ]);
  });
});

describe('describeProblems', () => {
  it('makes one sentence of them', () => {
    const { problems } = parsePayload(type, parseJson('{"owners":[1],"nmae":1}') as JsonObject, 'create');
    expect(describeProblems(problems)).toBe(problems.map(({ message }) => message).join('; '));
    expect(problems).toHaveLength(2);
  });
});
