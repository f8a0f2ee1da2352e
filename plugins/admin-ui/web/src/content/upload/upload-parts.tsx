import { Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { UploadIcon } from '../../ui/icons';
import { nameOf, type UploadState } from './use-upload';

export interface ChooseButtonProps {
  /** What the chooser of the system offers; anything unless given. */
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
          leftSection={<UploadIcon size={14} />}
        >
          {text}
          <span className="visually-hidden"> {id === undefined ? `for ${label}` : label}</span>
        </Button>
      )}
    </FileButton>
  );
}

/** The progress of an upload, and what came of it. */
export function UploadStatus({ state, onStop }: { readonly state: UploadState; onStop(): void }) {
  const text = statusText(state);
  return (
    <>
      {state.kind === 'sending' ? (
        <Group gap="sm" wrap="nowrap" mt={8}>
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
