import type { AuditEntry } from '@gantry/core-http/ports';

/** Why a sign-in by the identity provider has ended; the page to sign in has a sentence for each. */
export type SignInRefusalCode =
  | 'not-configured'
  | 'expired'
  | 'cancelled'
  | 'provider-unavailable'
  | 'provider-refused'
  | 'invalid-answer'
  | 'not-asked-again'
  | 'email-missing'
  | 'email-not-verified'
  | 'no-role'
  | 'account-exists'
  | 'account-disabled';

/** A change of an account that a sign-in has made; about the account itself where no subject is given. */
export type AccountEvent = Pick<AuditEntry, 'action' | 'detail'> & Partial<Pick<AuditEntry, 'subject'>>;

/** Of one account, to be noted in the audit log by the transaction that made them. */
export interface AccountChanges {
  readonly userId: string;
  readonly events: readonly AccountEvent[];
}

interface RefusalDetails {
  /** Whom the provider has confirmed. */
  readonly login?: string;
  /** Changes of the account that the refused sign-in has made. */
  readonly changed?: AccountChanges;
  /** Path of the pages to which the browser goes back. */
  readonly returnTo?: string;
}

/** A sign-in by the identity provider that is refused. The message is for the log and holds no secret. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';

  constructor(
    readonly code: SignInRefusalCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }

  /** The same, with the path to which the browser goes back. */
  at(returnTo: string): SignInRefusal {
    return new SignInRefusal(this.code, this.message, { ...this.details, returnTo });
  }
}
