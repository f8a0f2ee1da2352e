import { GantryError } from '@gantry/plugin-api';
import type { NextFunction, Request, Response } from 'express';
import { createAuthentication, type AuthenticationDependencies } from '../../src/routes/authenticate';
import { createRights } from '../../src/roles/roles';

const named = { name: 'press', displayName: '', description: '', permissions: [], isBuiltIn: false, grants: [] };
const rights = createRights([named], []);

/** Steps in the order in which they were done, of a request on a platform without sign-in. */
async function stepsOf(prepare: Promise<void> | undefined, isPublic = false): Promise<readonly string[]> {
  const steps: string[] = [];
  const identity = { isSignInRequired: () => false, roles: { rightsOf: () => rights } };
  const authenticate = createAuthentication({
    identity: identity as unknown as AuthenticationDependencies['identity'],
    cookies: { session: 'session', viewAs: 'view-as' } as unknown as AuthenticationDependencies['cookies'],
    localToken: 'local_x',
    isPublic: () => isPublic,
    callsPublicRoute: () => false,
    readsItems: () => true,
    prepare: (principal) => prepare?.then(() => void steps.push(`prepared ${principal.login}`)),
  });
  const request = { method: 'GET', headers: {}, socket: {} } as unknown as Request;
  const next: NextFunction = () => void steps.push('next');
  await authenticate(request, {} as Response, next);
  return steps;
}

describe('the rights of a request', () => {
  it('are prepared before it is answered', async () => {
    expect(await stepsOf(Promise.resolve())).toEqual(['prepared local', 'next']);
    expect(await stepsOf(undefined)).toEqual(['next']);
  });

  it('are not waited for by what is public', async () => {
    expect(await stepsOf(new Promise(() => undefined), true)).toEqual(['next']);
  });

  it('are not there while the database is unavailable', async () => {
    const unavailable = new GantryError('UNAVAILABLE', 'The database does not answer.');
    await expect(stepsOf(Promise.reject(unavailable))).rejects.toBe(unavailable);
  });
});
