import { JsonInput, NativeSelect, Text, TextInput } from '@mantine/core';
import { useRef, useState, type RefObject } from 'react';
import { Dialog } from '../../ui/dialog';
import { maySignal } from '../api/rights';
import { signalWorkflow, type AuditNote, type WorkflowDetail } from '../api/workflows';
import { ReasonForm } from './reason-form';
import { knownSignals, noSignal, parseSignal, type ParsedSignal, type Signal, type SignalDraft } from './signal-draft';
import { useAction } from './use-action';

export interface SignalDialogProps {
  readonly workflow: WorkflowDetail;
  readonly opened: boolean;
  onClose(): void;
}

/** Sends a signal: one of those that are known of the type, or any with arguments. */
export function SignalDialog({ workflow, opened, onClose }: SignalDialogProps) {
  const known = knownSignals(workflow.type, maySignal);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState(noSignal);
  const [problem, setProblem] = useState<Extract<ParsedSignal, { ok: false }>>();
  const nameField = useRef<HTMLInputElement>(null);
  const argsField = useRef<HTMLTextAreaElement>(null);
  const draft =
    known === undefined ? typed : { name: known.find((name) => name === typed.name) ?? known[0] ?? '', args: '' };
  const call = useAction({
    act: ({ signal, note }: { readonly signal: Signal; readonly note: AuditNote }) =>
      signalWorkflow(workflow.workflowId, signal, note),
    done: 'The signal was delivered',
    onDone: () => {
      setReason('');
      setTyped(noSignal);
      onClose();
    },
  });
  const close = (): void => {
    call.reset();
    onClose();
  };
  const send = (note: AuditNote): void => {
    const parsed = parseSignal(draft);
    setProblem(parsed.ok ? undefined : parsed);
    if (parsed.ok) call.mutate({ signal: parsed.signal, note });
    else (parsed.field === 'name' ? nameField : argsField).current?.focus();
  };
  return (
    <Dialog opened={opened} onClose={close} title="Send a signal">
      <ReasonForm
        reason={reason}
        onReason={setReason}
        confirm="Send the signal"
        pending={call.isPending}
        error={call.error}
        refused="The signal was not sent"
        onClose={close}
        onSubmit={send}
      >
        <Text size="sm" className="long-text">
          <b>{workflow.workflowId}</b>. The workflow handles it like a signal from the service that usually sends it.
        </Text>
        {known === undefined ? (
          <AnySignal
            draft={draft}
            nameField={nameField}
            argsField={argsField}
            errors={problem === undefined ? {} : { [problem.field]: problem.message }}
            onDraft={(next) => {
              setTyped(next);
              setProblem(undefined);
            }}
          />
        ) : (
          <NativeSelect
            label="Signal"
            data={[...known]}
            value={draft.name}
            onChange={(event) => setTyped({ name: event.currentTarget.value, args: '' })}
          />
        )}
      </ReasonForm>
    </Dialog>
  );
}

interface AnySignalProps {
  readonly draft: SignalDraft;
  readonly nameField: RefObject<HTMLInputElement | null>;
  readonly argsField: RefObject<HTMLTextAreaElement | null>;
  readonly errors: Partial<Readonly<Record<keyof SignalDraft, string>>>;
  onDraft(draft: SignalDraft): void;
}

/** Names and arguments of signals of other plugins are known to their authors only. */
function AnySignal({ draft, nameField, argsField, errors, onDraft }: AnySignalProps) {
  return (
    <>
      <TextInput
        ref={nameField}
        label="Signal"
        description="A signal that the workflow does not define has no effect."
        required
        maxLength={200}
        value={draft.name}
        error={errors.name}
        onChange={(event) => onDraft({ ...draft, name: event.currentTarget.value })}
      />
      <JsonInput
        ref={argsField}
        label="Arguments"
        description="Arguments of the signal, as a JSON list. Leave the field empty for a signal without arguments."
        placeholder={'["text", 5, { "until": "2030-01-31" }]'}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        value={draft.args}
        error={errors.args}
        onChange={(args) => onDraft({ ...draft, args })}
      />
    </>
  );
}
