import type { SecondFactorQuestion } from '@gantry/contracts';
import { useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import type { FactorProof } from '../account-api';
import { cancelPasskey, obstacleTo, PasskeyFailure, readPasskey } from './browser-passkeys';

/** A request with a password, and the second factor that is asked for once the platform has said that the account needs it. */
export interface SecondFactor {
  /** Undefined before it is asked for. */
  readonly question: SecondFactorQuestion | undefined;
  readonly code: string;
  setCode(code: string): void;
  readonly isSending: boolean;
  /** The browser asks for a passkey. */
  readonly isWaiting: boolean;
  readonly error: string | undefined;
  /** Shows why nothing is sent. */
  refuse(reason: string): void;
  /** Sends the request: with the code if there is one, else with a passkey where one is possible. */
  submit(): Promise<void>;
  /** Asks for a passkey again. */
  askAgain(): Promise<void>;
}

type Step = 'idle' | 'sending' | 'waiting';

/** @param send resolves when the platform has accepted the request */
export function useSecondFactor(send: (proof?: FactorProof) => Promise<void>): SecondFactor {
  const [question, setQuestion] = useState<SecondFactorQuestion>();
  const [code, setCode] = useState('');
  const [step, setStep] = useState<Step>('idle');
  const [error, setError] = useState<string>();
  const isWaiting = step === 'waiting';
  useEffect(() => (isWaiting ? () => void cancelPasskey() : undefined), [isWaiting]);
  const begin = (next: Step): void => {
    setStep(next);
    setError(undefined);
  };
  const refuse = (reason: string): void => {
    setStep('idle');
    setError(reason);
  };
  const prove = async (proof: FactorProof): Promise<void> => {
    begin('sending');
    try {
      await send(proof);
    } catch (failure) {
      setQuestion(questionOf(failure) ?? question);
      refuse(messageOf(failure));
    }
  };
  const provePasskey = async (asked: SecondFactorQuestion): Promise<void> => {
    if (asked.passkey === undefined) return;
    begin('waiting');
    try {
      const passkey = await readPasskey(asked.passkey);
      await prove({ passkey });
    } catch (failure) {
      if (!(failure instanceof PasskeyFailure && failure.isReplaced)) refuse(messageOf(failure));
    }
  };
  // Each request for a passkey has a challenge that expires: it is sent for every time.
  const ask = async (): Promise<void> => {
    begin('sending');
    try {
      await send();
    } catch (failure) {
      const asked = questionOf(failure);
      if (asked === undefined) {
        refuse(messageOf(failure));
        return;
      }
      setQuestion(asked);
      setStep('idle');
      if (canUsePasskey(asked)) await provePasskey(asked);
      else if (question !== undefined) refuse('Enter the code.');
    }
  };
  const submit = async (): Promise<void> => {
    const given = code.trim();
    if (question === undefined || given === '') await ask();
    else await prove({ code: given });
  };
  return { question, code, setCode, isSending: step === 'sending', isWaiting, error, refuse, submit, askAgain: ask };
}

/** Whether a passkey is one of the ways, on this page and in this browser. */
export function canUsePasskey({ passkey }: SecondFactorQuestion): boolean {
  return passkey !== undefined && obstacleTo(passkey.origin) === undefined;
}

function questionOf(error: unknown): SecondFactorQuestion | undefined {
  return error instanceof ApiError ? error.secondFactor : undefined;
}
