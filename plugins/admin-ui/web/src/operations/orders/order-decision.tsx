import { Alert, Button, Menu, NativeSelect, Text } from '@mantine/core';
import {
  maxSettlementReasonLength,
  operationWorkflowId,
  settlementOutcomes,
  type OrderOperation,
  type OrderStatus,
  type SettlementOutcome,
} from '@gantry/contracts';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { DownIcon, InfoIcon, WarningIcon } from '../../ui/icons';
import { Timestamp } from '../../ui/time/timestamp';
import { ReasonForm, type ReasonFormProps } from '../actions/reason-form';
import { useAction } from '../actions/use-action';
import { acknowledgeOrder, decideOrder, settleOrder, type StoredOrder } from '../api/orders';
import { mayDecide } from '../api/rights';
import type { AuditNote } from '../api/workflows';
import { loginsIn } from '../ui/logins';
import { Troubles, type Trouble, type TroublesProps } from '../workflow/troubles';
import { WorkflowLink } from '../workflows/workflow-table';

/** Decisions of a person about an order that was paid, and neither delivered nor refunded. */
export const decisions = ['refund', 'redelivery', 'settlement'] as const satisfies readonly (
  | OrderOperation
  | 'settlement'
)[];
/** One of {@link decisions}, or that nothing has to be done about an order that has failed. */
export type Decision = (typeof decisions)[number] | 'acknowledgement';

/** Labels of the menu entry or button of a decision. */
export const decisionLabels: Readonly<Record<Decision, string>> = {
  refund: 'Refund …',
  redelivery: 'Deliver again …',
  settlement: 'Settled elsewhere …',
  acknowledgement: 'Acknowledge …',
};

interface DecisionTexts {
  readonly title: string;
  readonly explained: string;
  readonly confirm: string;
  readonly done: string;
}

/** Texts of each decision. */
export const decisionTexts: Readonly<Record<Decision, DecisionTexts>> = {
  refund: {
    title: 'Refund the order?',
    explained:
      'The payment is refunded, and the customer is notified where a mail server is set up. Nothing is delivered any more: make sure that no parcel is in transit.',
    confirm: 'Refund the order',
    done: 'The refund was started',
  },
  redelivery: {
    title: 'Deliver the order again?',
    explained: 'A new consignment is started. If it is not delivered, the payment is refunded.',
    confirm: 'Deliver the order again',
    done: 'The redelivery was started',
  },
  settlement: {
    title: 'Was the order settled elsewhere?',
    explained: 'The platform stores the settlement, and neither refunds nor delivers the order.',
    confirm: 'Store the settlement',
    done: 'The settlement was stored',
  },
  acknowledgement: {
    title: 'Acknowledge the failure?',
    explained: 'The order is no longer listed under “Needs attention”. Nothing else happens to it.',
    confirm: 'Acknowledge',
    done: 'The failure was acknowledged',
  },
};

const running: Partial<Readonly<Record<OrderStatus, { readonly operation: OrderOperation; readonly text: string }>>> = {
  REFUNDING: { operation: 'refund', text: 'The payment is being refunded.' },
  REDELIVERING: { operation: 'redelivery', text: 'A new consignment is being delivered.' },
};

export interface OrderDecisionProps {
  readonly order: StoredOrder;
  /** Why its workflow does not continue; part of what a person has to know for the decision. */
  readonly troubles: readonly Trouble[];
}

/** The decision that a person has to make about an order, or the decision that was made. */
export function OrderDecision({ order, troubles }: OrderDecisionProps) {
  const { orderId, status, reason, acknowledgement } = order;
  if (status === 'FAILED' && acknowledgement === null) {
    return (
      <Alert color="red" icon={<WarningIcon />} title="The order has failed" mb="md">
        <p className="long-text">
          {reason} It was not paid. Reset its workflow to continue, or acknowledge the failure.
        </p>
        <Causes troubles={troubles} />
      </Alert>
    );
  }
  if (status === 'NEEDS_DECISION') {
    return (
      <Alert color="red" icon={<WarningIcon />} title="The order needs a decision" mb="md">
        <p className="long-text">It was paid, and neither delivered nor refunded. {reason}</p>
        <Causes troubles={troubles} />
      </Alert>
    );
  }
  const run = status === null ? undefined : running[status];
  return (
    <>
      {run === undefined ? null : (
        <Alert color="blue" icon={<InfoIcon />} title={run.text} role="status" mb="md">
          <WorkflowLink workflowId={operationWorkflowId(run.operation, orderId)} />
        </Alert>
      )}
      {status !== 'FAILED' || acknowledgement === null ? null : (
        <Alert color="gray" icon={<InfoIcon />} title="The failure was acknowledged" mb="md">
          <p className="long-text">
            {acknowledgement.reason} <Timestamp value={acknowledgement.at} />
            {acknowledgement.by === null ? '' : `, by ${loginsIn(acknowledgement.by)}`}
          </p>
        </Alert>
      )}
      <Troubles troubles={troubles} />
    </>
  );
}

function Causes({ troubles }: TroublesProps) {
  return troubles.map(({ color, title, text, advice = '' }) => (
    <p key={`${title} ${text}`} className="long-text">
      {/* That it was ended is said already. */}
      {color === 'blue' ? 'Reason' : title}: <span dir="auto">{text}</span> {advice}
    </p>
  ));
}

/** Decisions that a person can make now: the usual one as the primary action of the page, the others in its menu. */
export function DecideButton({ order: { orderId, status, acknowledgement } }: Pick<OrderDecisionProps, 'order'>) {
  const [decision, setDecision] = useState<Decision>('refund');
  const [opened, setOpened] = useState(false);
  const decide = (chosen: Decision): void => {
    setDecision(chosen);
    setOpened(true);
  };
  if (!mayDecide) return null;
  const [usual, ...others]: readonly Decision[] =
    status === 'NEEDS_DECISION'
      ? decisions
      : status === 'FAILED' && acknowledgement === null
        ? ['acknowledgement']
        : [];
  return (
    <>
      {usual === undefined ? null : (
        <Button.Group className="split-button">
          <Button onClick={() => decide(usual)}>{decisionLabels[usual]}</Button>
          {others.length === 0 ? null : (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button px="xs" aria-label="Other decisions">
                  <DownIcon size={14} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {others.map((other) => (
                  <Menu.Item key={other} onClick={() => decide(other)}>
                    {decisionLabels[other]}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Button.Group>
      )}
      <DecisionDialog
        key={decision}
        orderId={orderId}
        decision={decision}
        opened={opened}
        onClose={() => setOpened(false)}
      />
    </>
  );
}

interface DecisionDialogProps {
  readonly orderId: string;
  readonly decision: Decision;
  readonly opened: boolean;
  onClose(): void;
}

/** Asks for a decision about an order. What is typed outlives the dialog until the decision was taken. */
function DecisionDialog({ orderId, decision, opened, onClose }: DecisionDialogProps) {
  const form = useDecision(orderId, decision, onClose);
  const close = (): void => {
    form.call.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={decisionTexts[decision].title}>
      <DecisionForm form={form} decision={decision} onClose={close}>
        <Text size="sm" className="long-text">
          <b>{orderId}</b>. {decisionTexts[decision].explained}
        </Text>
      </DecisionForm>
    </Dialog>
  );
}

/** Input of a decision, and the request for it. */
export function useDecision(orderId: string, decision: Decision, onDone: () => void) {
  const [reason, setReason] = useState('');
  const [outcome, setOutcome] = useState<SettlementOutcome>(settlementOutcomes[0]);
  const call = useAction({
    act: (note: AuditNote) => {
      if (decision === 'settlement') return settleOrder(orderId, outcome, note);
      return decision === 'acknowledgement' ? acknowledgeOrder(orderId, note) : decideOrder(orderId, decision, note);
    },
    done: decisionTexts[decision].done,
    onDone,
  });
  return { reason, setReason, outcome, setOutcome, call };
}

export interface DecisionFormProps extends Pick<ReasonFormProps, 'beside' | 'children' | 'onClose'> {
  readonly form: ReturnType<typeof useDecision>;
  readonly decision: Decision;
}

/** Form of a decision. */
export function DecisionForm({ form, decision, children, ...props }: DecisionFormProps) {
  const { reason, setReason, outcome, setOutcome, call } = form;
  return (
    <ReasonForm
      reason={reason}
      onReason={setReason}
      confirm={decisionTexts[decision].confirm}
      pending={call.isPending}
      error={call.error}
      refused="The action failed"
      {...(decision === 'settlement' || decision === 'acknowledgement' ? { kept: 'It is stored with the order.' } : {})}
      {...(decision === 'settlement' ? { maxReasonLength: maxSettlementReasonLength } : {})}
      {...props}
      onSubmit={(note) => call.mutate(note)}
    >
      {children}
      {decision === 'settlement' ? <OutcomeSelect outcome={outcome} onOutcome={setOutcome} /> : null}
    </ReasonForm>
  );
}

const outcomeLabels: Readonly<Record<SettlementOutcome, string>> = {
  REFUNDED: 'The payment was refunded',
  DELIVERED: 'The order was delivered',
};

interface OutcomeSelectProps {
  readonly outcome: SettlementOutcome;
  onOutcome(outcome: SettlementOutcome): void;
}

function OutcomeSelect({ outcome, onOutcome }: OutcomeSelectProps) {
  return (
    <NativeSelect
      label="Outcome"
      data={settlementOutcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
      value={outcome}
      onChange={(event) => {
        const chosen = settlementOutcomes.find((value) => value === event.currentTarget.value);
        if (chosen !== undefined) onOutcome(chosen);
      }}
    />
  );
}
