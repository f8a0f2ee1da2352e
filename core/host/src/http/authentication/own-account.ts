import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { Identity } from '../../identity';
import { principalOf } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { assertSignInMode } from './assert-sign-in-mode';
import type { AttemptLimit } from './attempt-limit';
import { recordRefusal } from './record-action';

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

interface PasswordProof {
  readonly identity: Identity;
  readonly request: IncomingMessage;
  readonly attempts: AttemptLimit;
  readonly sessionId: string;
}

/**
 * Runs what compares the current password. A wrong one is counted for the session and noted: one who has taken over a session
 * does not keep the owner, in another one, from changing the password.
 */
export async function provingPassword(
  { identity, request, attempts, sessionId }: PasswordProof,
  work: () => Promise<void>,
): Promise<void> {
  await attempts.begin(sessionId);
  try {
    await work();
  } catch (error) {
    if (error instanceof GantryError && error.code === 'FORBIDDEN') {
      const subject = `user:${principalOf(request).id}`;
      await recordRefusal(identity, request, { actor: subject, action: 'password-refused', subject });
    }
    throw error;
  }
  await attempts.succeed(sessionId);
}
