import { TextInput } from '@mantine/core';
import { focusFirst } from './focus-first';
import type { SecondFactor } from './use-second-factor';

/** Asks for the code of an authenticator app; absent until it is needed. */
export function CodeField({ factor: { isAsked, code, setCode } }: { readonly factor: SecondFactor }) {
  return isAsked ? (
    <TextInput
      ref={focusFirst}
      label="Code of the authenticator app"
      description="Or one of your recovery codes"
      autoComplete="one-time-code"
      value={code}
      onChange={(event) => setCode(event.currentTarget.value)}
    />
  ) : null;
}
