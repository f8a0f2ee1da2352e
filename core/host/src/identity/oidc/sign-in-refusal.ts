/** Why a sign-in by the identity provider has ended; the page to sign in has a sentence for each. */
export type SignInRefusalCode =
  | 'not-configured'
  | 'expired'
  | 'cancelled'
  | 'provider-unavailable'
  | 'provider-refused'
  | 'invalid-answer'
  | 'email-missing'
  | 'email-not-verified'
  | 'no-role'
  | 'account-exists'
  | 'account-disabled';

interface RefusalOptions {
  /** Whom the provider has confirmed. */
  readonly login?: string | undefined;
  /** Path of the pages to which the browser goes back. */
  readonly returnTo?: string;
}

/** A sign-in by the identity provider that is refused. The message is for the log and holds no secret. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';
  readonly login: string | undefined;
  readonly returnTo: string | undefined;

  constructor(
    readonly code: SignInRefusalCode,
    message: string,
    { login, returnTo }: RefusalOptions = {},
  ) {
    super(message);
    this.login = login;
    this.returnTo = returnTo;
  }

  /** The same, with the path to which the browser goes back. */
  at(returnTo: string): SignInRefusal {
    return new SignInRefusal(this.code, this.message, { login: this.login, returnTo });
  }
}
