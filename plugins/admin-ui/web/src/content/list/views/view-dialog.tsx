import { Button, Group, Text, TextInput } from '@mantine/core';
import { typedDirection } from '../../kinds/control-attributes';
import { useState, type SubmitEvent } from 'react';
import { messageOf } from '../../../api/api-error';
import type { SavedView } from '../../../api/platform/preference';
import { nameProblem } from './views';
import { Dialog } from '../../../ui/dialog';

/** Question of the dialog: a name for a new view, another name, or whether to delete a view. */
export type ViewQuestion =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename'; readonly view: SavedView }
  | { readonly kind: 'delete'; readonly view: SavedView };

export interface ViewDialogProps {
  readonly question: ViewQuestion | undefined;
  readonly views: readonly SavedView[];
  onClose(): void;
  /** Resolves when it is stored. */
  onAnswer(question: ViewQuestion, name: string): Promise<void>;
}

const titles = { create: 'Save as a new view', rename: 'Rename the view', delete: 'Delete the view?' } as const;
const verbs = { create: 'Save view', rename: 'Rename', delete: 'Delete' } as const;

/** Asks for the name of a view, or before one is deleted. */
export function ViewDialog({ question, views, onClose, onAnswer }: ViewDialogProps) {
  return (
    <Dialog
      opened={question !== undefined}
      onClose={onClose}
      title={question === undefined ? '' : titles[question.kind]}
    >
      {question === undefined ? null : (
        <Question question={question} views={views} onClose={onClose} onAnswer={onAnswer} />
      )}
    </Dialog>
  );
}

function Question({ question, views, onClose, onAnswer }: ViewDialogProps & { readonly question: ViewQuestion }) {
  const view = question.kind === 'create' ? undefined : question.view;
  const [name, setName] = useState(view?.name ?? '');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const answer = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const wrong = question.kind === 'delete' ? undefined : nameProblem(name, views, view?.id);
    setProblem(wrong);
    if (wrong !== undefined) return;
    setBusy(true);
    try {
      await onAnswer(question, name.trim());
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void answer(event)} noValidate>
      {question.kind === 'delete' ? (
        <Text className="long-text">
          <b dir="auto">{view?.name}</b> will be permanently deleted. Items are not affected.
        </Text>
      ) : (
        <TextInput
          label="Name"
          description="The view stores filters, sorting, page size and columns."
          data-autofocus
          {...typedDirection}
          maxLength={80}
          value={name}
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {question.kind === 'delete' && problem !== undefined ? (
        <Text c="error" size="sm" role="alert">
          {problem}
        </Text>
      ) : null}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} {...(question.kind === 'delete' ? { color: 'red' } : {})}>
          {verbs[question.kind]}
        </Button>
      </Group>
    </form>
  );
}
