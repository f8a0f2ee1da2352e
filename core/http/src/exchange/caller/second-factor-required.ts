import type { SecondFactorQuestion } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';

/** The password was right; the answer says what else is needed. */
export class SecondFactorRequired extends GantryError {
  constructor(
    message: string,
    readonly question: SecondFactorQuestion,
  ) {
    super('SECOND_FACTOR_REQUIRED', message);
  }
}
