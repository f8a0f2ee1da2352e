import { useState } from 'react';
import { ApiError } from '../api/api-error';

/** The code of an authenticator app, which is asked for once the platform has said that the account needs it. */
export interface SecondFactor {
  readonly isAsked: boolean;
  readonly code: string;
  setCode(code: string): void;
  /** What is sent; undefined before it is asked for. */
  readonly given: string | undefined;
  /** Shows the field where the error says that the code is needed. @returns whether it is the first time */
  ask(error: unknown): boolean;
}

export function useSecondFactor(): SecondFactor {
  const [isAsked, setAsked] = useState(false);
  const [code, setCode] = useState('');
  return {
    isAsked,
    code,
    setCode,
    given: isAsked ? code.trim() : undefined,
    ask(error) {
      const isNeeded = error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED';
      if (isNeeded) setAsked(true);
      return isNeeded && !isAsked;
    },
  };
}
