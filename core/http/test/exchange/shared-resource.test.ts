import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../src/ports/authenticator';
import { setPrincipal } from '../../src/exchange/caller/principal';
import { createSharedResource, holderOf, type SharedResource } from '../../src/exchange/shared-resource';

describe('a shared resource', () => {
  let resource: SharedResource;
  beforeEach(() => {
    resource = createSharedResource({ what: 'streams', max: 5, share: 2 });
  });

  const requestOf = (kind: Principal['kind'] | undefined, id = '1', ip = '192.0.2.1'): IncomingMessage => {
    const request = { ip, socket: {} } as unknown as IncomingMessage;
    if (kind === undefined) return request;
    setPrincipal(request, { kind, id } as Principal, {
      confirm: () => undefined,
      assertPresent: () => Promise.resolve(),
    });
    return request;
  };
  const codeOf = (request: IncomingMessage): string => {
    try {
      resource.hold(holderOf(request));
      return 'held';
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  const refused = { code: 'TOO_MANY_REQUESTS', headers: { 'Retry-After': '5' } };

  it.each([
    ['user', requestOf('person', '7', '192.0.2.1'), requestOf('person', '7', '192.0.2.9'), requestOf('service', '8')],
    ['IPv4 address', requestOf(undefined), requestOf('public', 'public'), requestOf('public', 'public', '192.0.2.2')],
    [
      'IPv6 network',
      requestOf(undefined, '', '2001:db8:0:100::1'),
      requestOf(undefined, '', '2001:db8:0:1ff::2'),
      requestOf(undefined, '', '2001:db8:0:200::1'),
    ],
  ])('has a share for each %s', (_name, first, same, other) => {
    const holding = resource.hold(holderOf(first));
    resource.hold(holderOf(same));
    expect(() => resource.hold(holderOf(same))).toThrow(expect.objectContaining(refused));
    expect(codeOf(other)).toBe('held');
    holding.release();
    expect(codeOf(same)).toBe('held');
  });

  it('is refused to everyone when all of it is taken', () => {
    for (const id of ['1', '1', '2', '2', '3']) resource.hold(holderOf(requestOf('person', id)));
    expect([codeOf(requestOf('person', '3')), codeOf(requestOf('person', '1'))]).toEqual([
      'UNAVAILABLE',
      'TOO_MANY_REQUESTS',
    ]);
  });

  it('has all of it for an open platform', () => {
    const codes = Array.from({ length: 6 }, () => codeOf(requestOf('local', 'local')));
    expect(codes).toEqual(['held', 'held', 'held', 'held', 'held', 'UNAVAILABLE']);
  });

  it('counts amounts that grow, and keeps nothing of work that fails', async () => {
    const request = requestOf('person');
    const holding = resource.hold(holderOf(request), 0);
    holding.add(2);
    expect(() => holding.add(1)).toThrow(expect.objectContaining(refused));
    holding.release();
    await expect(resource.run(holderOf(request), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(() => resource.hold(holderOf(request), 2)).not.toThrow();
  });
});
