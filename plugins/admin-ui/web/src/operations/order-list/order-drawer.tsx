import { Alert, Checkbox, Group, Radio, Stack, Text, Title } from '@mantine/core';
import type { ListedOrder } from '../api/orders';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { CloseIcon, DownIcon, UpIcon, WarningIcon } from '../../ui/icons';
import { keepFocusInPage } from '../../ui/keys/keep-focus-in-page';
import { IconButton, LinkIcon } from '../../ui/page/link-button';
import { softDisabledProps } from '../../ui/soft-disabled-props';
import { Timestamp } from '../../ui/time/timestamp';
import { orderAddress } from '../api/addresses';
import {
  DecisionForm,
  decisionLabels,
  decisions,
  decisionTexts,
  useDecision,
  type Decision,
} from '../orders/order-decision';
import { ExpandIcon } from '../ui/operation-icons';
import { stepLabels } from './order-texts';
import { OrderWait } from './order-wait';

export interface OrderDrawerProps {
  readonly order: ListedOrder;
  /** The orders of the page that wait for a decision. */
  readonly queue: readonly ListedOrder[];
  readonly opened: boolean;
  readonly now: number;
  onOpen(order: ListedOrder): void;
  onClose(): void;
}

/**
 * A quick decision about an order beside its list, which stays in use. What is typed outlives the drawer until another order
 * is opened.
 */
export function OrderDrawer({ order, queue, opened, now, onOpen, onClose }: OrderDrawerProps) {
  const { orderId } = order;
  const [hasFailed] = useState(order.status === 'FAILED');
  const [decision, setDecision] = useState<Decision>(hasFailed ? 'acknowledgement' : 'refund');
  const [continues, setContinues] = useLocalStorage({ key: 'gantry.next-order', defaultValue: true });
  const title = useId();
  const heading = useFocusWhile(opened);
  const drawer = useEscape(onClose);
  const position = queue.findIndex((other) => other.orderId === orderId);
  const next = queue[position + 1];
  const form = useDecision(orderId, decision, () => {
    const other = next ?? queue.find((one) => one.orderId !== orderId);
    if (continues && other !== undefined) onOpen(other);
    else onClose();
  });
  return (
    <div className="order-drawer" role="dialog" aria-labelledby={title} hidden={!opened} ref={drawer}>
      <div className="order-drawer-head">
        <div>
          <Group gap="xxs" className="order-drawer-place">
            {position < 0 ? 'Decided' : `${position + 1} of ${queue.length} to decide`}
            <Step label="Previous order" to={queue[position - 1]} onOpen={onOpen}>
              <UpIcon size={14} />
            </Step>
            <Step label="Next order" to={next} onOpen={onOpen}>
              <DownIcon size={14} />
            </Step>
          </Group>
          <Title order={2} id={title} ref={heading} tabIndex={-1} className="page-title quiet-focus">
            {orderId}
          </Title>
        </div>
        <LinkIcon
          label={`Open the page of ${orderId}`}
          to={orderAddress(orderId)}
          variant="subtle"
          color="gray"
          size="lg"
        >
          <ExpandIcon size={16} />
        </LinkIcon>
        <IconButton label="Close" size="lg" onClick={onClose}>
          <CloseIcon size={16} />
        </IconButton>
      </div>
      <DecisionForm
        form={form}
        decision={decision}
        onClose={onClose}
        beside={
          <Checkbox
            label="Next order after it"
            checked={continues}
            onChange={(event) => setContinues(event.currentTarget.checked)}
          />
        }
      >
        <Alert color="red" icon={<WarningIcon />}>
          <span className="long-text">
            <b>{hasFailed ? 'The order has failed.' : 'It was paid, and neither delivered nor refunded.'}</b>{' '}
            {order.reason}
          </span>
        </Alert>
        <dl className="fact-rows">
          {order.step === null ? null : (
            <div>
              <dt>Step</dt>
              <dd>{stepLabels[order.step]}</dd>
            </div>
          )}
          <div>
            <dt>Since</dt>
            <dd>
              <OrderWait order={order} now={now} />
            </dd>
          </div>
          <div>
            <dt>Placed</dt>
            <dd>
              <Timestamp value={order.placedAt} />
            </dd>
          </div>
        </dl>
        {hasFailed ? (
          <Text size="sm">{decisionTexts.acknowledgement.explained}</Text>
        ) : (
          <DecisionChoice decision={decision} onDecision={setDecision} />
        )}
      </DecisionForm>
    </div>
  );
}

interface StepProps {
  readonly label: string;
  readonly to: ListedOrder | undefined;
  onOpen(order: ListedOrder): void;
  readonly children: ReactNode;
}

function Step({ label, to, onOpen, children }: StepProps) {
  return (
    <IconButton
      label={label}
      size="sm"
      className="page-step"
      {...softDisabledProps(to === undefined)}
      onClick={() => {
        if (to !== undefined) onOpen(to);
      }}
    >
      {children}
    </IconButton>
  );
}

interface DecisionChoiceProps {
  readonly decision: Decision;
  onDecision(decision: Decision): void;
}

function DecisionChoice({ decision, onDecision }: DecisionChoiceProps) {
  return (
    <Radio.Group
      label="Decision"
      value={decision}
      onChange={(value) => {
        const chosen = decisions.find((one) => one === value);
        if (chosen !== undefined) onDecision(chosen);
      }}
    >
      <Stack gap="xs" mt="xxs">
        {decisions.map((one) => (
          <Radio
            key={one}
            value={one}
            className="decision"
            label={decisionLabels[one].replace(' …', '')}
            description={decisionTexts[one].explained}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The heading has the focus once the drawer is open; afterwards it goes back to what opened it. */
function useFocusWhile(opened: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!opened) return undefined;
    const opener = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else keepFocusInPage();
    };
  }, [opened]);
  return heading;
}

/** Escape in the drawer, and not in the list beside it. */
function useEscape(onEscape: () => void) {
  const drawer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = drawer.current;
    const press = ({ key }: KeyboardEvent): void => (key === 'Escape' ? onEscape() : undefined);
    element?.addEventListener('keydown', press);
    return () => element?.removeEventListener('keydown', press);
  }, [onEscape]);
  return drawer;
}
