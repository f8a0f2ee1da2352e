import type { IncomingMessage } from 'node:http';
import { parseQuery } from '../../src/exchange/input/query';

function parse(url: string, known: readonly string[] = ['limit', 'sort']): Readonly<Record<string, string>> {
  return parseQuery({ url } as IncomingMessage, known);
}

describe('parseQuery', () => {
  it.each([
    ['/a', {}],
    ['/a?', {}],
    ['/a?&&', {}],
    ['/a?limit=5', { limit: '5' }],
    ['/a?limit', { limit: '' }],
    ['/a?limit=', { limit: '' }],
    ['/a?sort=a+b%20c&limit=%31', { sort: 'a b c', limit: '1' }],
    ['/a?sort=a=b?c', { sort: 'a=b?c' }],
    ['/a?%73ort=x', { sort: 'x' }],
  ])('reads %s as %j', (url, expected) => {
    expect(parse(url)).toEqual(expected);
  });

  it.each([
    ['/a?x=1', 'Unknown query parameter "x". Known are limit, sort, each once.'],
    ['/a?x=1&limit=2&y=3', 'Unknown query parameter "x", "y". Known are limit, sort, each once.'],
    ['/a?LIMIT=1', 'Unknown query parameter "LIMIT". Known are limit, sort, each once.'],
    ['/a?limit[]=1', 'Unknown query parameter "limit[]". Known are limit, sort, each once.'],
    ['/a?limit=1&limit=1', 'Repeated query parameter "limit". Known are limit, sort, each once.'],
    [
      '/a?__proto__=1&constructor=2',
      'Unknown query parameter "__proto__", "constructor". Known are limit, sort, each once.',
    ],
  ])('refuses %s', (url, message) => {
    expect(() => parse(url)).toThrow(message);
  });

  it('says where none is known, and names no more than ten', () => {
    const url = `/a?${Array.from({ length: 20 }, (_, index) => `p${index}=1`).join('&')}`;
    expect(() => parse(url, [])).toThrow(/"p9"\. .*none\.$/);
  });

  it('does not take a fault in one known name for another', () => {
    expect(() => parse('/a?toString=1', ['limit'])).toThrow(/Unknown .*"toString"/);
    expect(parse('/a?toString=1', ['toString'])).toEqual({ toString: '1' });
  });
});
