import { GantryError } from '@gantry/plugin-api';
import type { Identity } from '../create-identity';
import type { PasskeySite } from '../second-factors/passkey-site';
import { type Principal, type Demand, type RequestAuthor, countingProofs, type AttemptLimit } from '@gantry/core-http';
import { assertSignInMode } from './assert-sign-in-mode';

export interface AccountServices {
  readonly identity: Identity;
  /** Undefined where passkeys are not offered. */
  readonly passkeySite: PasskeySite | undefined;
  /** By session: one that somebody else has taken over must not be enough to guess the password. */
  readonly attempts: AttemptLimit;
}

/** Before a look at the own account. */
export const readsAccount = {
  mode: assertSignInMode,
  caller: (principal: Principal): void => void personOf({ principal }),
} satisfies Demand;

/** Before a change of passwords, second factors and API tokens: they have all rights of the person. */
export const changesAccount: Demand = {
  ...readsAccount,
  caller(principal) {
    readsAccount.caller(principal);
    if (principal.viewsAs === undefined) return;
    throw new GantryError(
      'FORBIDDEN',
      'This browser views the pages as another role. End the view at the top of the page to change your account.',
    );
  },
};

export interface Person {
  readonly id: string;
  readonly sessionId: string;
}

/** A person in a browser: an API token must not make other credentials. @throws GantryError FORBIDDEN */
export function personOf({ principal: { id, sessionId } }: { readonly principal: Principal }): Person {
  if (sessionId !== undefined) return { id, sessionId };
  throw new GantryError('FORBIDDEN', 'An account is managed by a person who is signed in with a browser.');
}

/** Before what a session alone must not be enough for. @throws GantryError FORBIDDEN, TOO_MANY_REQUESTS, CONFLICT without a password */
export function assertPassword(services: AccountServices, author: RequestAuthor, password: string): Promise<void> {
  return provingPassword(services, author, ({ id }) => services.identity.signIn.assertPassword(id, password));
}

/**
 * Runs what compares the current password, which also proves presence. A wrong one is counted for the session and noted: one who has taken over a session
 * does not keep the owner, in another one, from changing the password.
 */
export async function provingPassword<T>(
  { identity, attempts }: AccountServices,
  author: RequestAuthor,
  work: (person: Person) => Promise<T>,
): Promise<T> {
  const person = personOf(author);
  const { sessionId } = person;
  await attempts.begin(sessionId);
  let result: T;
  try {
    result = await countingProofs([[attempts, sessionId]], () => work(person));
  } catch (error) {
    if (error instanceof GantryError && error.code === 'FORBIDDEN') {
      await recordRefusal(identity, author, 'password-refused');
    }
    throw error;
  }
  await attempts.succeed(sessionId);
  await identity.presence.prove(sessionId);
  return result;
}

/** Counts in the audit log that a proof of the person was refused. */
export async function recordRefusal(
  { audit }: Pick<Identity, 'audit'>,
  { actor, address }: RequestAuthor,
  action: string,
): Promise<void> {
  await audit.recordRefusal({ action, actor, subject: actor, address });
}
