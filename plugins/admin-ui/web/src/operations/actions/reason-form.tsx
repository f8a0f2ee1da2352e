import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useRef, useState, type SyntheticEvent, type ReactNode } from 'react';
import { pageCaller } from '../../api/platform/initial-data';
import { ErrorState } from '../../ui/states';
import type { AuditNote } from '../api/workflows';
import { useLocalStorage } from '@mantine/hooks';

export interface ReasonFormProps {
  readonly reason: string;
  onReason(reason: string): void;
  readonly confirm: string;
  readonly colour?: string;
  readonly pending: boolean;
  readonly error: unknown;
  readonly refused: string;
  readonly disabled?: boolean;
  /** Where the reason is kept; in the history of the workflow unless given. */
  readonly kept?: string;
  /** Characters of a reason; 1,000 unless given. */
  readonly maxReasonLength?: number;
  /** Further inputs above the reason. */
  readonly children?: ReactNode;
  /** Beside the button that confirms, instead of the one that closes the form. */
  readonly beside?: ReactNode;
  onClose(): void;
  onSubmit(note: AuditNote): void;
}

/** Asks for the reason of an action and who wants it; both are kept. */
export function ReasonForm(props: ReasonFormProps) {
  const {
    reason,
    onReason,
    confirm,
    colour,
    pending,
    error,
    refused,
    disabled = false,
    kept = 'It is stored in the history of the workflow.',
    maxReasonLength = 1_000,
    children,
    beside,
    onClose,
    onSubmit,
  } = props;
  const [operator, setOperator] = useOperator();
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() === '') field.current?.focus();
    else if (!pending && !disabled) {
      onSubmit({ reason: reason.trim(), ...(operator.trim() === '' ? {} : { requestedBy: operator.trim() }) });
    }
  };
  return (
    <form onSubmit={submit} noValidate className="reason-form">
      <Stack gap="sm" className="reason-fields">
        {children}
        <TextInput
          ref={field}
          label="Reason"
          description={kept}
          required
          maxLength={maxReasonLength}
          data-autofocus
          value={reason}
          error={missing && reason.trim() === '' ? 'Give the reason; it is stored in the history.' : undefined}
          onChange={(event) => onReason(event.currentTarget.value)}
        />
        {isSignedIn ? null : (
          <TextInput
            label="Your name"
            maxLength={100}
            value={operator}
            onChange={(event) => setOperator(event.currentTarget.value)}
          />
        )}
        {error === null ? null : <ErrorState error={error} title={refused} once />}
      </Stack>
      <Group justify="flex-end" className="reason-foot">
        {beside ?? (
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
        )}
        <Button
          type="submit"
          {...(colour === undefined ? {} : { color: colour })}
          loading={pending}
          disabled={disabled}
        >
          {confirm}
        </Button>
      </Group>
    </form>
  );
}

/** Then the platform knows the name. */
const isSignedIn = pageCaller?.kind === 'person';

/** The name of the user of this browser for the history of a workflow, on a platform that is open. */
function useOperator(): [string, (name: string) => void] {
  const [operator, setOperator] = useLocalStorage({
    key: 'gantry.operator',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [operator, setOperator];
}
