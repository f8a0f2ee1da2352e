import { availableParallelism } from 'node:os';
import { hash, verify, type Options } from '@node-rs/argon2';
import { GantryError, invalidValue } from '@gantry/plugin-api/errors';
import { limitTo } from '../accounts/limit-to';

/** Least and most characters of a password. There are no rules about what it consists of. */
const passwordLength = { min: 8, max: 1_024 } as const;

/** Hashes and verifies passwords, a limited number at once: each takes memory and a whole core. */
export interface Passwords {
  /** @throws GantryError VALIDATION_FAILED */
  assertAcceptable(password: string): Promise<void>;
  /** @throws GantryError VALIDATION_FAILED, UNAVAILABLE */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a user that does not exist, or has no password, as for one with a wrong password.
   * @throws GantryError UNAVAILABLE when too many wait
   */
  matches(password: string, stored: string | undefined): Promise<boolean>;
}

/** argon2id, the default of the library, with 19 MiB, 2 passes, 1 lane (OWASP Password Storage Cheat Sheet). */
const options: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Of random bytes that were not kept: compared where there is no password, so that it takes as long. Made with the same options. */
const unknownPassword =
  '$argon2id$v=19$m=19456,t=2,p=1$B1xraHJThV+0+bfPQIW+IQ$MvWZqW2eRxwnOGrKyNdoP96chtg2KTgqh0i0QtTtgS0';

/** While sign-ins wait, hashing takes at most a quarter of each place's time. */
const limits = { maxWaiting: 50, restFactor: 3 };

export function createPasswords(maxAtOnce = Math.max(1, availableParallelism() - 1)): Passwords {
  const limited = limitTo({ ...limits, maxAtOnce }, () => {
    throw new GantryError('UNAVAILABLE', 'Too many sign-ins at once. Try again in a moment.');
  });
  return {
    assertAcceptable,
    async hash(password) {
      await assertAcceptable(password);
      return limited(() => hash(password.normalize('NFC'), options));
    },
    async matches(password, stored) {
      if (password.length > passwordLength.max) return false;
      const isEqual = await limited(() => verify(stored ?? unknownPassword, password.normalize('NFC')));
      return isEqual && stored !== undefined;
    },
  };
}

async function assertAcceptable(password: string): Promise<void> {
  const { min, max } = passwordLength;
  const isWithin = Array.from(password).length >= min && password.length <= max;
  if (!isWithin) throw invalid(`must have ${min} to ${max} characters`);
  if (await isCommon(password)) throw invalid('is one of the most common passwords; use another one');
}

function invalid(problem: string): GantryError {
  return invalidValue('password', `The password ${problem}`);
}

/** Loaded when a password is set, which is rare: the list takes several megabytes of memory. */
async function isCommon(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary.passwords.includes(password.toLowerCase());
}
