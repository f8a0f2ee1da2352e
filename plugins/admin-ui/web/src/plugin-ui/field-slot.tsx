import type { FormField } from '@gantry/contracts';
import { Skeleton } from '@mantine/core';
import type { ValueProblem } from '@gantry/ui';
import type { ReactNode } from 'react';
import type { FormValue } from '../api/items';
import { ErrorState } from '../ui/states';
import { findClaim, type Claim } from './claims';
import { SlotBoundary } from './slot-boundary';
import { useRetry, useUiPart, useUis } from './ui-context';
import { failureOf } from './ui-failure';

interface FieldSlotProps {
  readonly id: string;
  readonly type: string;
  readonly field: FormField;
  readonly value: FormValue;
  readonly error: string | undefined;
  readonly problems?: readonly ValueProblem[] | undefined;
  readonly sources?: Readonly<Record<string, FormValue>> | undefined;
  onChange(value: FormValue): void;
  /** The built-in control: used where no plugin brings one, and where that one fails. */
  readonly children: ReactNode;
}

/** The control of a form field, from a plugin if one brings it. */
export function FieldSlot(props: FieldSlotProps) {
  const claim = findClaim(useUis(), 'fields', props.type, props.field);
  return claim === undefined ? props.children : <ClaimedField {...props} claim={claim} />;
}

function ClaimedField({ claim, children, ...props }: FieldSlotProps & { readonly claim: Claim }) {
  const { plugin, key } = claim;
  const { state, part: Control } = useUiPart(plugin, (ui) => ui.fields?.[key]);
  const retry = useRetry(plugin);
  const instead = (failure: unknown, onRetry: () => void): ReactNode => (
    <div>
      {children}
      <ErrorState
        title={`The control of ${plugin.displayName} for ${props.field.displayName} failed`}
        error={failureOf(plugin, failure)}
        onRetry={onRetry}
      />
    </div>
  );
  if (state.status === 'failed') return instead(state.failure, retry);
  if (Control === undefined) {
    return <Skeleton height={58} role="status" aria-label={`Loading ${props.field.displayName}`} />;
  }
  const { onChange, ...given } = props;
  const change = (value: FormValue): void => {
    if (!isSameKind(value, props.value)) {
      throw new TypeError(`The control of ${key} returned a value of another type than it received.`);
    }
    onChange(value);
  };
  return (
    <SlotBoundary
      renderFailure={(error, again) =>
        instead(error, () => {
          again();
          retry();
        })
      }
    >
      <Control {...given} onChange={change} />
    </SlotBoundary>
  );
}

function isSameKind(given: unknown, expected: FormValue): boolean {
  return typeof given === typeof expected && Array.isArray(given) === Array.isArray(expected);
}
