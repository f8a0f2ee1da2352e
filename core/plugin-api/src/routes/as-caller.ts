import type { Caller } from './caller';

/**
 * The body of a request, with the login and the id of its caller as `requestedBy`: a signed-in user cannot act under
 * another name. On a platform that is open, the request may name anyone.
 * @example const note = asCaller(caller, body); // { reason, requestedBy: 'ann@example.com (user:12)' }
 * @public
 */
export function asCaller<Note extends { readonly requestedBy?: string | undefined }>(caller: Caller, note: Note): Note {
  const requestedBy = signedInName(caller);
  return requestedBy === undefined ? note : { ...note, requestedBy };
}

/**
 * The login and the id of a signed-in caller, for records of who did something; the display name is no proof, as users choose it.
 * Undefined on a platform that is open, where nobody has a name.
 * @example await signalWorkflow(temporal, id, 'accepted', 'repair', \{ requestedBy: signedInName(caller) \});
 * @public
 */
export function signedInName({ kind, login, id }: Caller): string | undefined {
  return kind === 'local' ? undefined : `${login} (user:${id})`;
}
