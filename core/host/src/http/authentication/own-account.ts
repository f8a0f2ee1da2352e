import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { ChangeAuthor, Identity } from '../../identity';
import { principalOf } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { assertSignInMode } from './assert-sign-in-mode';
import { countingProofs, type AttemptLimit } from './attempt-limit';
import { authorOf, recordRefusal } from '../exchange/record-action';

/** A person in a browser: an API token must not make other credentials. */
export function personOf(
  identity: Identity,
  request: IncomingMessage,
): {
  readonly id: string;
  readonly sessionId: string;
} {
  parseQuery(request, []);
  assertSignInMode(identity);
  const { id, sessionId } = principalOf(request);
  if (sessionId !== undefined) return { id, sessionId };
  throw new GantryError('FORBIDDEN', 'An account is managed by a person who is signed in with a browser.');
}

/** A person who changes the own account, with the author of the change. */
export interface AccountOwner {
  readonly id: string;
  readonly sessionId: string;
  readonly author: ChangeAuthor;
}

/**
 * Before a change of passwords, second factors and API tokens: they have all rights of the person.
 * @throws GantryError FORBIDDEN, also in a browser that has the rights of other roles only
 */
export function ownerOf(identity: Identity, request: IncomingMessage): AccountOwner {
  const person = personOf(identity, request);
  if (principalOf(request).viewsAs === undefined) return { ...person, author: authorOf(request) };
  throw new GantryError(
    'FORBIDDEN',
    'This browser sees the pages as another role. End that at the top of the page to change your account.',
  );
}

interface PasswordProof {
  readonly identity: Identity;
  readonly request: IncomingMessage;
  readonly attempts: AttemptLimit;
  readonly sessionId: string;
}

/**
 * Runs what compares the current password, which also proves presence. A wrong one is counted for the session and noted: one who has taken over a session
 * does not keep the owner, in another one, from changing the password.
 */
export async function provingPassword<T>(
  { identity, request, attempts, sessionId }: PasswordProof,
  work: () => Promise<T>,
): Promise<T> {
  await attempts.begin(sessionId);
  let result: T;
  try {
    result = await countingProofs([[attempts, sessionId]], work);
  } catch (error) {
    if (error instanceof GantryError && error.code === 'FORBIDDEN') {
      const subject = `user:${principalOf(request).id}`;
      await recordRefusal(identity, request, { actor: subject, action: 'password-refused', subject });
    }
    throw error;
  }
  await attempts.succeed(sessionId);
  await identity.presence.prove(sessionId);
  return result;
}
