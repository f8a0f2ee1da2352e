import type { Rights } from './rights';

/** The role of requests without a credential. */
export const publicRole = 'public';

/** Who makes a request. */
export interface Principal {
  /** `local`: a user of this machine, on an open platform or with the token of its home; `public`: a request without a credential. */
  readonly kind: 'local' | 'person' | 'service' | 'public';
  /** `local`, or the id of the user. */
  readonly id: string;
  readonly name: string;
  /** Email address of a person, name of a service account. */
  readonly login: string;
  readonly rights: Rights;
  /** Set for a browser that is signed in. */
  readonly sessionId?: string;
  /** Set for a client with an API token. */
  readonly tokenId?: string;
  /** Set for an API token that may be used to change users, roles and API tokens. */
  readonly managesAccounts?: true;
  /** Set for an administrator who sees the pages as these roles show them, with their rights only. */
  readonly viewsAs?: readonly string[];
  /** Set for the first administrator, to whom belongs what was stored before sign-in was switched on. */
  readonly succeedsLocal?: true;
}

/** Finds who makes a request. */
export interface AnonymousPort {
  /** Who makes a request without a credential; undefined where the role `public` may do nothing. */
  anonymous(): Principal | undefined | Promise<Principal | undefined>;
}

/** Whether requests need a credential. */
export interface SignInMode {
  /** Once it does, it always does. */
  isSignInRequired(): boolean;
}
