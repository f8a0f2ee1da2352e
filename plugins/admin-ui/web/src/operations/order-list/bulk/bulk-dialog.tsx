import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { ListedOrder } from '../../api/orders';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { Dialog } from '../../../ui/dialog';
import { ReasonForm } from '../../actions/reason-form';
import { operationsKey } from '../../api/queries';
import type { AuditNote } from '../../api/workflows';
import { StateBadge } from '../../ui/state-badge';
import { stepLabels } from '../order-texts';
import { applyAction, bulkTexts, countedOrders, effectOn, isApplicable, type BulkAction } from './bulk-actions';
import { createOrderRun, type OrderResult, type OrderRun } from './order-run';
import { useResetPreview } from './use-reset-preview';

export interface BulkDialogProps {
  readonly action: BulkAction;
  /** As they were when the action was chosen. */
  readonly selected: readonly ListedOrder[];
  readonly opened: boolean;
  onClose(): void;
  /** The orders for which the action has succeeded. */
  onDone(orderIds: readonly string[]): void;
}

/** Shows what an action will do to which orders, does it, and shows the result of each. */
export function BulkDialog({ action, selected, opened, onClose, onDone }: BulkDialogProps) {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly OrderResult[]>();
  const [isRunning, setRunning] = useState(false);
  const run = useRef<OrderRun>(undefined);
  const { title } = bulkTexts[action];
  const applicable = selected.filter((order) => isApplicable(action, order));
  const others = selected.filter((order) => !isApplicable(action, order));
  const start = async (): Promise<void> => {
    setRunning(true);
    await run.current?.start();
    setRunning(false);
    await client.invalidateQueries({ queryKey: operationsKey });
  };
  const begin = (note: AuditNote): void => {
    if (isRunning) return;
    run.current = createOrderRun({
      orderIds: applicable.map(({ orderId }) => orderId),
      act: (orderId) => applyAction(action, orderId, note),
      onResults: setResults,
    });
    void start();
  };
  const close = (): void => {
    onDone((results ?? []).flatMap(({ orderId, state }) => (state === 'done' ? [orderId] : [])));
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      // A run is ended by its own button, which finishes what is under way.
      closeOnEscape={!isRunning}
      closeOnClickOutside={!isRunning}
      withCloseButton={!isRunning}
      size="lg"
      title={title(countedOrders(applicable.length))}
    >
      {results === undefined ? (
        <Question action={action} applicable={applicable} others={others} onClose={close} onConfirm={begin} />
      ) : (
        <Results
          action={action}
          results={results}
          isRunning={isRunning}
          onStop={() => run.current?.stop()}
          onRetry={() => void start()}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

const none: readonly ListedOrder[] = [];

/** Of a dispatch, which keeps none. */
const noReason: AuditNote = { reason: '' };

interface QuestionProps {
  readonly action: BulkAction;
  readonly applicable: readonly ListedOrder[];
  readonly others: readonly ListedOrder[];
  onClose(): void;
  onConfirm(note: AuditNote): void;
}

function Question({ action, applicable, others, onClose, onConfirm }: QuestionProps) {
  const [reason, setReason] = useState('');
  const resets = useResetPreview(action === 'reset' ? applicable : none);
  const { explained, confirm, appliesTo } = bulkTexts[action];
  const preview = (
    <>
      <Text size="sm">{explained}</Text>
      <OrderPreview
        label="Orders included"
        orders={applicable}
        noteOf={(order) => (action === 'reset' ? resets(order) : effectOn(action, order))}
      />
      {others.length === 0 ? null : (
        <>
          <Text size="sm">
            <b>Not included: {countedOrders(others.length)}</b>, because {appliesTo}.
          </Text>
          <OrderPreview label="Orders not included" orders={others} />
        </>
      )}
    </>
  );
  const text = confirm(countedOrders(applicable.length));
  if (action === 'dispatch') {
    return (
      <Stack gap="sm">
        {preview}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button data-autofocus onClick={() => onConfirm(noReason)}>
            {text}
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <ReasonForm
      reason={reason}
      onReason={setReason}
      confirm={text}
      {...(action === 'cancel' || action === 'refund' ? { colour: 'red' } : {})}
      {...(action === 'acknowledgement' ? { kept: 'It is stored with each order.' } : {})}
      pending={false}
      error={null}
      refused=""
      onClose={onClose}
      onSubmit={onConfirm}
    >
      {preview}
    </ReasonForm>
  );
}

interface OrderPreviewProps {
  readonly label: string;
  readonly orders: readonly ListedOrder[];
  /** Effect on an order, in place of its step; undefined if the step is shown. */
  noteOf?(order: ListedOrder): string | undefined;
}

function OrderPreview({ label, orders, noteOf }: OrderPreviewProps) {
  return (
    // A list that scrolls has to be reached by keyboard.
    <div className="bulk-list" role="region" aria-label={label} tabIndex={0}>
      <ul>
        {orders.map((order) => {
          const { orderId, status, step } = order;
          return (
            <li key={orderId}>
              <bdi className="bulk-order">{orderId}</bdi>
              {status === null ? null : <StateBadge state={status} />}
              <span className="bulk-note">{noteOf?.(order) ?? (step === null ? '' : stepLabels[step])}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface ResultsProps {
  readonly action: BulkAction;
  readonly results: readonly OrderResult[];
  readonly isRunning: boolean;
  onStop(): void;
  onRetry(): void;
  onClose(): void;
}

function Results({ action, results, isRunning, onStop, onRetry, onClose }: ResultsProps) {
  const [isStopping, setStopping] = useState(false);
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that began or ended the run is gone.
    summary.current?.focus();
  }, [isRunning]);
  const count = (wanted: OrderResult['state']): number => results.filter(({ state }) => state === wanted).length;
  const [done, failed, waiting] = [count('done'), count('failed'), count('waiting')];
  const text = [
    `${done} of ${countedOrders(results.length)} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(isRunning || waiting === 0 ? [] : [`${waiting} not started`]),
  ].join(', ');
  return (
    <Stack gap="sm">
      <Text ref={summary} tabIndex={-1} className="quiet-focus" role="status">
        {text}
      </Text>
      <Progress value={(100 * (done + failed)) / results.length} animated={isRunning} aria-label="Progress" />
      <div className="bulk-list" role="region" aria-label="Results" tabIndex={0}>
        <ul>
          {failedFirst(results).map(({ orderId, state, error }) => (
            <li key={orderId} data-state={state}>
              <bdi className="bulk-order">{orderId}</bdi>
              <span className="bulk-note long-text">{resultText(action, state, error)}</span>
            </li>
          ))}
        </ul>
      </div>
      <Group justify="flex-end">
        {isRunning ? (
          <Button
            variant="default"
            disabled={isStopping}
            onClick={() => {
              setStopping(true);
              onStop();
            }}
          >
            {isStopping ? 'Stopping …' : 'Stop'}
          </Button>
        ) : (
          <>
            {failed + waiting === 0 ? null : (
              <Button
                variant="default"
                onClick={() => {
                  setStopping(false);
                  onRetry();
                }}
              >
                {failed === 0 ? 'Continue' : 'Retry'}
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

function failedFirst(results: readonly OrderResult[]): readonly OrderResult[] {
  const isFailed = ({ state }: OrderResult): boolean => state === 'failed';
  return [...results.filter(isFailed), ...results.filter((result) => !isFailed(result))];
}

function resultText(action: BulkAction, state: OrderResult['state'], error: unknown): string {
  switch (state) {
    case 'waiting':
      return 'Not started';
    case 'running':
      return 'In progress …';
    case 'done':
      return bulkTexts[action].done;
    case 'failed':
      return messageOf(error);
  }
}
