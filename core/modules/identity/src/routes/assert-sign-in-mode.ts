import { GantryError } from '@gantry/plugin-api';
import type { Identity } from '../create-identity';

/**
 * The first user is made by a command: the right to use the machine is the right to end the open mode.
 * @throws GantryError CONFLICT while the platform is open
 */
export function assertSignInMode(identity: Pick<Identity, 'isSignInRequired'>): void {
  if (identity.isSignInRequired()) return;
  throw new GantryError(
    'CONFLICT',
    'The platform is open on this machine: nobody signs in. Switch sign-in on with: gantry users create <email> --role administrator',
  );
}

/** The accounts as requests change them. */
export function changeableBySignedIn(identity: Identity): Identity {
  return {
    ...identity,
    async change(author, work) {
      assertSignInMode(identity);
      return identity.change(author, work);
    },
  };
}
