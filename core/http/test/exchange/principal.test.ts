import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { assertAllowed, setPrincipal, signedInOf } from '../../src/exchange/caller/principal';
import type { Principal } from '../../src/ports/authenticator';
import { createRights } from '@gantry/core-identity';

function requestOf(kind: Principal['kind'], id: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const role = {
    name: 'reader',
    displayName: 'Reader',
    description: '',
    grants: [],
    permissions: ['media.upload'],
    isBuiltIn: true,
  };
  const principal: Principal = { kind, id, name: 'Reader', login: '', rights: createRights([role], []) };
  setPrincipal(request, principal, { confirm: () => undefined, assertPresent: () => Promise.resolve() });
  return request;
}

describe('a request with the role public', () => {
  const request = requestOf('public', 'public');

  it.each([[undefined], ['signed-in' as const], [{ permission: 'media.upload' }]])(
    'gets to no route of a plugin: %j',
    (access) => {
      expect(() => assertAllowed(request, access)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    },
  );

  it('is by no user who is signed in', () => {
    expect(() => signedInOf(request)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    expect(signedInOf(requestOf('person', '7')).id).toBe('7');
  });
});
