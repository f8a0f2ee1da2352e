import type { Caller } from './caller';

/**
 * What a request says about itself, with the name of its caller as the one who asks: a signed-in user cannot act under another
 * name. On a platform that is open, the request may name anyone.
 * @example const note = asCaller(caller, body); // { reason, requestedBy: 'Ann' }
 * @public
 */
export function asCaller<Note extends { readonly requestedBy?: string | undefined }>(
  { kind, name }: Caller,
  note: Note,
): Note {
  return kind === 'local' ? note : { ...note, requestedBy: name };
}

/**
 * The name of a signed-in caller, for records of who did something; undefined on a platform that is open, where nobody has a name.
 * @example await signalWorkflow(temporal, id, 'accepted', 'repair', \{ requestedBy: signedInName(caller) \});
 * @public
 */
export function signedInName({ kind, name }: Caller): string | undefined {
  return kind === 'local' ? undefined : name;
}
