import type { Database } from '@gantry/plugin-api';
import type { Totp } from './totp';
import { hasFactor, removeFactor } from './change-factors';
import { acceptRecoveryCode } from './recovery-codes';

/** The second factors of a person together, whatever their kind. */
export interface SecondFactors {
  /** Whether the sign-in needs more than the password, also where no passkey of the person is valid at the current address. */
  isRequired(userId: string): Promise<boolean>;
  /** Whether the code is one of the app or a recovery code; each is right once. */
  acceptCode(userId: string, code: string): Promise<boolean>;
  /** Removes the authenticator app, all passkeys and the recovery codes. */
  removeAll(userId: string): Promise<void>;
}

export function createSecondFactors(database: Database, totp: Totp): SecondFactors {
  return {
    isRequired: (userId) => hasFactor(database, userId),
    acceptCode: async (userId, code) =>
      (await totp.accept(userId, code)) || (await acceptRecoveryCode(database, userId, code)),
    removeAll: (userId) =>
      removeFactor(database, userId, async (transaction) => {
        await transaction.query('DELETE FROM gantry_totp WHERE user_id = $1', [userId]);
        await transaction.query('DELETE FROM gantry_passkey WHERE user_id = $1', [userId]);
      }),
  };
}
