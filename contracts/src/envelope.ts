import type { ErrorCode } from './errors';
import type { DeletionPlan } from './items';

/** A successful answer of every endpoint. @public */
export interface Success<T> {
  readonly data: T;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One problem with one part of the input. `path` names the property, `code` is a stable upper-snake word, usually one of `detailCatalogue`. @public */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** The first items that have the problem. Ids are text, which keeps all digits. */
  readonly items?: readonly { readonly id: string; readonly label: string }[];
}

/** A failed answer of every endpoint. @public */
export interface Failure {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: readonly ErrorDetail[];
    /** With the code `SECOND_FACTOR_REQUIRED`. */
    readonly secondFactor?: SecondFactorQuestion;
    /** With the code `PRESENCE_REQUIRED`. */
    readonly presence?: PresenceQuestion;
    /** With the code `CONFIRMATION_REQUIRED`. */
    readonly deletion?: DeletionPlan;
    readonly requestId: string;
  };
}

/** A proof of a second factor, in addition to the password. @public */
export type SecondFactorKind = 'passkey' | 'authenticator-app' | 'recovery-code';

/** Which second factors a sign-in accepts. @public */
export interface SecondFactorQuestion {
  readonly kinds: readonly SecondFactorKind[];
  /** Set where a passkey is one of them. */
  readonly passkey?: {
    /** Of the pages on which it can be used. */
    readonly origin: string;
    /** For `navigator.credentials.get` (PublicKeyCredentialRequestOptionsJSON). */
    readonly options: Readonly<Record<string, unknown>>;
  };
}

/** Proofs that the person of a session is present: one of them is enough. @public */
export type PresenceProof = 'password' | SecondFactorKind | 'identity-provider';

/** By what a person can prove to be present. @public */
export interface PresenceQuestion {
  /** Proofs that the account has; none where only an administrator can help. */
  readonly proofs: readonly PresenceProof[];
  /** Set in the answer to a request for a passkey. */
  readonly passkey?: SecondFactorQuestion['passkey'];
}
