import type { PresenceQuestion } from '@gantry/contracts';
import { GantryError, invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import { instant } from '@gantry/core-common';
import { PresenceRequired, routesWith, type RequestAuthor } from '@gantry/core-http';
import {
  assertPassword,
  personOf,
  readsAccount,
  recordRefusal,
  type AccountServices,
  type Person,
} from '../own-account';
import { givenFactor, refusalOf, secondFactorInput, type GivenFactor } from './second-factor';

/** Proves that the person of the session is present; without a proof, it is refused with what the account can prove it by. */
export const presenceRoute = routesWith<AccountServices>()({
  method: 'POST',
  path: '/api/platform/account/presence',
  operationId: 'provePresence',
  summary: 'Prove that the person of the session is present, with a password, a code or a passkey',
  description:
    'Without a proof, the response is `PRESENCE_REQUIRED`; its `error.presence` names the possible proofs and has the options for a passkey. A person who signs in with an identity provider opens `/api/platform/oidc/start?presence=true` in the browser.',
  access: 'signed-in',
  demand: readsAccount,
  errors: ['TOO_MANY_REQUESTS'],
  audit: 'presence-proven',
  body: z.strictObject({ password: z.string().min(1).max(1_024).optional(), ...secondFactorInput }).prefault({}),
  answer: z.object({
    provenUntil: instant.describe('End of the time during which changes that outlast the session are accepted.'),
  }),
  async handler({ body: { password, ...factors }, author, audit }, services) {
    const given = givenFactor(factors);
    if (password !== undefined && given !== undefined) throw invalidValue('password', 'Send one proof');
    const person = personOf(author);
    if (password !== undefined) await assertPassword(services, author, password);
    else if (given === undefined) throw new PresenceRequired(await questionFor(services, person));
    else await assertFactor(services, author, given);
    const provenUntil = await services.identity.recording(author, async ({ presence, record }) => {
      const until = await presence.prove(person.sessionId);
      await audit({ subject: `user:${person.id}` }, record);
      return until;
    });
    return { data: { provenUntil } };
  },
});

/** Counted like wrong passwords: who has taken over a session must not guess the code. */
async function assertFactor(services: AccountServices, author: RequestAuthor, given: GivenFactor): Promise<void> {
  const { identity, attempts } = services;
  const { id, sessionId } = personOf(author);
  await attempts.begin(sessionId);
  const refusal = await refusalOf(services, id, 'presence', given);
  if (refusal !== undefined) {
    await recordRefusal(identity, author, refusal.action);
    throw new GantryError('FORBIDDEN', refusal.message);
  }
  await attempts.succeed(sessionId);
}

/** The passkey of the question can be used for some minutes. */
async function questionFor(
  { identity, passkeySite }: AccountServices,
  { id, sessionId }: Person,
): Promise<PresenceQuestion> {
  const proofs = await identity.presence.proofs(sessionId);
  const options = passkeySite && (await identity.passkeys.beginAssertion(id, 'presence', passkeySite));
  if (passkeySite === undefined || options === undefined) return { proofs };
  return { proofs, passkey: { origin: passkeySite.origin, options: { ...options } } };
}
