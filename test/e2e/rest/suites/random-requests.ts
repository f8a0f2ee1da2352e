import type { TestHost } from '../../../support/platform';
import { send, type Answer } from '../../../support/rest-client';

/** Requests of random parts. */
export function describeRandomRequests(host: TestHost): void {
  /** The same requests in every run. */
  function createRandom(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  const random = createRandom(4_711);

  function pick<T>(choices: readonly T[]): T {
    return choices[random(choices.length)] as T;
  }

  const types = [
    'gauge',
    'person',
    'team',
    'product',
    'catalog',
    'keyed',
    'guarded',
    'plain',
    'ledger',
    'nothing',
    '__proto__',
  ] as const;
  const names = [
    'name',
    'code',
    'id',
    'version',
    'createdAt',
    'boss',
    'friends',
    'members',
    'price',
    'double',
    'real',
    'long',
    'exact',
    'on',
    'picture',
    'colour',
    'catalog',
    '__proto__',
    'constructor',
    '',
    'x'.repeat(300),
    '\u0000',
  ] as const;
  /** Raw JSON, some of it none. */
  const values = [
    'null',
    'true',
    '0',
    '-0',
    '1',
    '-1',
    '1.5',
    '1e400',
    '1e-400',
    '9223372036854775807',
    '9223372036854775808',
    '1e999999',
    '""',
    '" "',
    '"1"',
    '"NaN"',
    '"\\u0000"',
    '"\\ud800"',
    '"%_\\\\"',
    `"${'ü'.repeat(300)}"`,
    '"true"',
    '[]',
    '[1]',
    '[1,1]',
    '[null]',
    '[0,-1]',
    '{}',
    '{"id":1}',
    '[[[]]]',
    'NaN',
    '"',
  ] as const;
  const operators = ['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN', 'LIKE', '', '__proto__'] as const;
  const texts = [
    'limit=5',
    'limit=0',
    'limit=x',
    'sort=name',
    'sort=-id',
    'sort=x',
    'after=x',
    'after=WyItaWQiLCIxIiwiMSJd',
    'total=true',
    'total=',
    'q=1',
    '%00=%ff',
    '%',
  ] as const;

  function payload(): string {
    const members = Array.from({ length: random(5) }, () => `${JSON.stringify(pick(names))}:${pick(values)}`);
    return `{${members.join(',')}}`;
  }

  function criteria(): string {
    const entries = Array.from({ length: random(4) }, () => {
      const value = random(3) === 0 ? pick(values) : JSON.stringify(pick(values));
      return `{"field":${JSON.stringify(pick(names))},"operator":${JSON.stringify(pick(operators))},"value":${value}}`;
    });
    return `[${entries.join(',')}]`;
  }

  function query(): string {
    return random(3) === 0 ? `?${Array.from({ length: 1 + random(2) }, () => pick(texts)).join('&')}` : '';
  }

  function randomRequest(): readonly [method: string, path: string, body: string | undefined] {
    const type = `/api/cms/items/${encodeURIComponent(pick(types))}`;
    const id = pick(['1', '2', '3', '0', '-1', 'x', '9223372036854775807', '%00']);
    const body = random(10) === 0 ? pick(values) : undefined;
    switch (random(7)) {
      case 0:
        return ['POST', `${type}/list${query()}`, body ?? criteria()];
      case 1:
        return ['POST', `${type}/search${query()}`, body ?? criteria()];
      case 2:
        return ['POST', type, body ?? payload()];
      case 3:
        return [pick(['PATCH', 'PUT']), `${type}/${id}`, body ?? payload()];
      case 4:
        return ['DELETE', `${type}/${id}`, undefined];
      case 5:
        return ['GET', `${type}/${id}${query()}`, undefined];
      default:
        return [
          pick(['GET', 'OPTIONS', 'TRACE']),
          `${type}${pick(['', '/metadata', '/search-metadata'])}${query()}`,
          undefined,
        ];
    }
  }

  function isWellAnswered({ status, text, json }: Answer): boolean {
    if (status >= 500) return false;
    if (status === 204) return text === '';
    return status < 400
      ? 'data' in json
      : typeof json?.error?.code === 'string' && typeof json.error.message === 'string';
  }

  it('a thousand requests of odd parts are all answered, each in the envelope and none with a fault', async () => {
    const printed = host.output().length;
    const failures: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const [method, path, body] = randomRequest();
          const answer = await send(host.address, path, {
            method,
            ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
          });
          if (isWellAnswered(answer)) return;
          failures.push(`${method} ${path} ${body}: ${answer.status} ${answer.text.slice(0, 300)}`);
        }),
      );
    }
    expect(failures).toEqual([]);
    expect((await send(host.address, '/readyz')).json.data.status).toBe('ready');
    expect(host.output().slice(printed)).not.toContain('request failed');
  });
}
