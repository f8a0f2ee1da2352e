import type { SecondFactorKind, SecondFactorQuestion } from '@gantry/contracts';
import { invalidValue } from '@gantry/plugin-api';
import { z } from 'zod';
import { assertionInput, type Assertion } from '../../second-factors/passkey-input';
import type { ChallengePurpose } from '../../second-factors/passkey-challenges';
import { type ChangeAuthor, SecondFactorRequired, recordRefusal } from '@gantry/core-http';
import type { Identity } from '../../create-identity';
import type { LinkOwner } from '../../sign-in/sign-in';
import type { PasskeySite } from '../../second-factors/passkey-site';

export const codeText = z.string().min(1).max(50).describe('Code of the authenticator app, or a recovery code.');

/** Members of a body that prove a second factor, after the answer SECOND_FACTOR_REQUIRED. */
export const secondFactorInput = {
  code: codeText.optional(),
  passkey: assertionInput.optional(),
};

/** A proof of the second factor. */
export type GivenFactor = { readonly code: string } | { readonly passkey: Assertion };

interface Proofs {
  readonly code?: string | undefined;
  readonly passkey?: Assertion | undefined;
}

/** @throws GantryError VALIDATION_FAILED for two proofs */
export function givenFactor({ code, passkey }: Proofs): GivenFactor | undefined {
  if (code !== undefined && passkey !== undefined) {
    throw invalidValue('passkey', 'Send either a code or a passkey');
  }
  if (code !== undefined) return { code };
  return passkey === undefined ? undefined : { passkey };
}

export interface SecondFactorDependencies {
  readonly identity: Identity;
  readonly passkeySite: PasskeySite | undefined;
}

interface SecondFactorProof {
  readonly owner: LinkOwner;
  readonly purpose: ChallengePurpose;
  readonly given: GivenFactor | undefined;
}

/**
 * Asked after the password: nothing is said about the second factor of an account to one who does not know its password.
 * @throws SecondFactorRequired
 */
export async function assertSecondFactor(
  dependencies: SecondFactorDependencies,
  client: Pick<ChangeAuthor, 'address'>,
  { owner, purpose, given }: SecondFactorProof,
): Promise<void> {
  const { identity } = dependencies;
  if (!(await identity.secondFactors.isRequired(owner.userId))) return;
  const refusal = given === undefined ? undefined : await refusalOf(dependencies, owner.userId, purpose, given);
  if (given !== undefined && refusal === undefined) return;
  if (refusal !== undefined) {
    const { action } = refusal;
    await recordRefusal(identity, client, { action, actor: owner.login, subject: `user:${owner.userId}` });
  }
  const question = await questionFor(dependencies, owner.userId, purpose);
  throw new SecondFactorRequired(refusal?.message ?? requestText(question), question);
}

interface Refusal {
  /** Of the audit log. */
  readonly action: string;
  readonly message: string;
}

/** @returns undefined for a proof that is right */
export async function refusalOf(
  { identity, passkeySite }: SecondFactorDependencies,
  userId: string,
  purpose: ChallengePurpose,
  given: GivenFactor,
): Promise<Refusal | undefined> {
  if ('code' in given) {
    if (await identity.secondFactors.acceptCode(userId, given.code)) return undefined;
    return {
      action: 'second-factor-refused',
      message:
        'The code is wrong or was used before. Enter the one that the authenticator app shows now, or a recovery code.',
    };
  }
  const result =
    passkeySite === undefined ? 'refused' : await identity.passkeys.accept(userId, purpose, given.passkey, passkeySite);
  switch (result) {
    case 'accepted':
      return undefined;
    case 'refused':
      return {
        action: 'second-factor-refused',
        message:
          'The passkey was not accepted: it is not one of this account, or the request for it has expired. Try again, or use a code.',
      };
    case 'copied':
      return {
        action: 'passkey-counter-refused',
        message:
          'The passkey was not accepted: its counter went back, as that of a copied one does. Use another second factor and remove this passkey on the page Account.',
      };
  }
}

async function questionFor(
  { identity, passkeySite }: SecondFactorDependencies,
  userId: string,
  purpose: ChallengePurpose,
): Promise<SecondFactorQuestion> {
  const options = passkeySite && (await identity.passkeys.beginAssertion(userId, purpose, passkeySite));
  const hasApp = await identity.totp.isRequired(userId);
  const kinds: readonly SecondFactorKind[] = [
    ...(options === undefined ? [] : (['passkey'] as const)),
    ...(hasApp ? (['authenticator-app'] as const) : []),
    'recovery-code',
  ];
  if (options === undefined || passkeySite === undefined) return { kinds };
  return { kinds, passkey: { origin: passkeySite.origin, options: { ...options } } };
}

function requestText({ kinds }: SecondFactorQuestion): string {
  const hasApp = kinds.includes('authenticator-app');
  const code = hasApp ? 'the code that the authenticator app shows, or a recovery code' : 'a recovery code';
  return kinds.includes('passkey') ? `Use a passkey, or enter ${code}.` : `Enter ${code}.`;
}
