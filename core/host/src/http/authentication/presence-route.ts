import type { IncomingMessage } from 'node:http';
import type { PresenceQuestion } from '@gantry/contracts';
import { GantryError, invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import { PresenceRequired, type Identity, type PasskeySite } from '../../identity';
import type { ReadJson } from '../exchange/body';
import { parseBody } from '../exchange/parse-body';
import type { PathHandlers } from '../exchange/routes';
import { sendData } from '../exchange/send';
import type { AttemptLimit } from './attempt-limit';
import { personOf, provingPassword } from './own-account';
import { authorOf, recordRefusal } from '../exchange/record-action';
import { givenFactor, refusalOf, secondFactorInput, type GivenFactor } from './second-factor';

export interface PresenceRouteDependencies {
  readonly identity: Identity;
  readonly readJson: ReadJson;
  readonly passkeySite: PasskeySite | undefined;
}

const presenceBody = z.strictObject({ password: z.string().min(1).max(1_024).optional(), ...secondFactorInput });

/** POST proves that the person of the session is present; without a proof, it is refused with what the account can prove it by. */
export function presencePath(dependencies: PresenceRouteDependencies, attempts: AttemptLimit): PathHandlers<object> {
  const { identity, readJson } = dependencies;
  return {
    async post(request, response) {
      const { id, sessionId } = personOf(identity, request);
      const { password, ...factors } = parseBody(presenceBody, (await readJson(request, response)) ?? {});
      const given = givenFactor(factors);
      if (password !== undefined && given !== undefined) throw invalidValue('password', 'Send one proof');
      if (password !== undefined) {
        await provingPassword({ identity, request, attempts, sessionId }, () =>
          identity.signIn.assertPassword(id, password),
        );
      } else if (given === undefined) {
        throw new PresenceRequired(await questionFor(dependencies, id, sessionId));
      } else await assertFactor(dependencies, attempts, request, given);
      const provenUntil = await identity.recording(authorOf(request), async ({ presence, record }) => {
        const until = await presence.prove(sessionId);
        await record({ action: 'presence-proven', subject: `user:${id}` });
        return until;
      });
      sendData(response, 200, JSON.stringify({ provenUntil }));
    },
  };
}

/** Counted like wrong passwords: who has taken over a session must not guess the code. */
async function assertFactor(
  dependencies: PresenceRouteDependencies,
  attempts: AttemptLimit,
  request: IncomingMessage,
  given: GivenFactor,
): Promise<void> {
  const { identity } = dependencies;
  const { id, sessionId } = personOf(identity, request);
  await attempts.begin(sessionId);
  const refusal = await refusalOf(dependencies, id, 'presence', given);
  if (refusal !== undefined) {
    const subject = `user:${id}`;
    await recordRefusal(identity, request, { actor: subject, action: refusal.action, subject });
    throw new GantryError('FORBIDDEN', refusal.message);
  }
  await attempts.succeed(sessionId);
}

/** The passkey of the question can be used for some minutes. */
async function questionFor(
  { identity, passkeySite }: PresenceRouteDependencies,
  userId: string,
  sessionId: string,
): Promise<PresenceQuestion> {
  const proofs = await identity.presence.proofs(sessionId);
  const options = passkeySite && (await identity.passkeys.beginAssertion(userId, 'presence', passkeySite));
  if (passkeySite === undefined || options === undefined) return { proofs };
  return { proofs, passkey: { origin: passkeySite.origin, options: { ...options } } };
}
