import { Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { RefreshIcon, UploadIcon } from '../../ui/icons';
import { nameOf, type UploadState } from './use-upload';

export interface ChooseButtonProps {
  /** Media types that the chooser of the system offers; all unless given. */
  readonly accept?: string | undefined;
  /** Where the button is the control of the field. */
  readonly id?: string;
  readonly label: string;
  readonly text: string;
  /** Element with what is wrong with the value. */
  readonly describedBy?: string;
  onChoose(file: File): void;
}

export function ChooseButton({ accept, id, label, text, describedBy, onChoose }: ChooseButtonProps) {
  const [inputKey, setInputKey] = useState(0);
  return (
    // A new input for every choice: otherwise the same file could not be chosen twice in a row.
    <FileButton
      key={inputKey}
      {...(accept === undefined ? {} : { accept })}
      onChange={(file) => {
        setInputKey(inputKey + 1);
        if (file !== null) onChoose(file);
      }}
    >
      {(props) => (
        <Button
          {...props}
          {...(id === undefined ? {} : { id })}
          {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
          variant="default"
          size="xs"
          leftSection={id === undefined ? <UploadIcon size={14} /> : undefined}
        >
          {text}
          <span className="visually-hidden"> {id === undefined ? `for ${label}` : label}</span>
        </Button>
      )}
    </FileButton>
  );
}

export interface UploadActionsProps {
  /** Of the control for another value. */
  readonly id: string;
  readonly label: string;
  readonly state: UploadState;
  readonly hasValue: boolean;
  onRepeat(file: File): void;
  onRemove(): void;
}

/** Actions on a value, and on an upload that has failed. */
export function UploadActions({ id, label, state, hasValue, onRepeat, onRemove }: UploadActionsProps) {
  const remove = (): void => {
    // The button goes with the value; keyboard users continue at the control for another one.
    flushSync(onRemove);
    document.getElementById(id)?.focus();
  };
  return (
    <>
      {state.kind === 'failed' && state.mayRepeat ? (
        <Button
          variant="default"
          size="xs"
          leftSection={<RefreshIcon size={14} />}
          onClick={() => onRepeat(state.file)}
        >
          Retry
        </Button>
      ) : null}
      {hasValue ? (
        <Button variant="default" size="xs" className="quiet-danger" onClick={remove}>
          Remove<span className="visually-hidden"> {label}</span>
        </Button>
      ) : null}
    </>
  );
}

/** The progress of an upload, and what came of it. */
export function UploadStatus({ state, onStop }: { readonly state: UploadState; onStop(): void }) {
  const text = statusText(state);
  return (
    <>
      {state.kind === 'sending' ? (
        <Group gap="sm" wrap="nowrap" mt="xs">
          <Progress flex={1} value={state.sent * 100} aria-label={`Upload of ${nameOf(state.file)}`} />
          <Button variant="subtle" size="xs" onClick={onStop}>
            Stop
          </Button>
        </Group>
      ) : null}
      <Text size="xs" c="dimmed" role="status" className="page-title" mt={text === '' ? 0 : 4}>
        {text}
      </Text>
    </>
  );
}

function statusText(state: UploadState): string {
  switch (state.kind) {
    case 'sending':
      return state.sent < 1 ? `Uploading ${nameOf(state.file)} …` : `Checking ${nameOf(state.file)} …`;
    case 'done':
      return state.text;
    case 'idle':
    case 'failed':
      return '';
  }
}
