import { Button } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { CheckIcon, CloseIcon } from '../../ui/icons';
import { failedCompensation } from '../actions/reset-choices';
import { ResetDialog } from '../actions/reset-dialog';
import type { OrderReport } from '../api/orders';
import { durationText } from '../../ui/text/duration-text';
import { Moment } from '../../ui/time/moment';
import { DotIcon, ResetIcon, RunIcon, SkipIcon } from '../ui/operation-icons';
import { OperationsProblem } from '../ui/operations-problem';
import { mayControl, mayReport } from '../api/rights';
import { isOpen, orderSteps, type OrderSources, type OrderStep, type StepKey, type StepState } from './order-steps';
import { refusedReports, useReport } from './use-report';

export interface OrderStepListProps {
  readonly orderId: string;
  readonly sources: OrderSources;
  readonly now: number;
}

const titles: Readonly<Record<StepKey, string>> = {
  placed: 'Order placed',
  payment: 'Payment',
  dispatch: 'Dispatch',
  delivery: 'Delivery',
  confirmation: 'Confirmation',
  compensation: 'Refund',
};

/** The steps of an order, each with what a person can do about it now. */
export function OrderStepList({ orderId, sources, now }: OrderStepListProps) {
  const list = useRef<HTMLOListElement>(null);
  const report = useReport(orderId, (what) => keepFocus(list.current, what));
  const steps = orderSteps(sources);
  const isDone = steps.some(({ key, state }) => state === 'done' && key === stepOf[report.variables ?? 'pay']);
  return (
    <>
      {report.error === null || isDone ? null : (
        <OperationsProblem
          error={report.error}
          once
          title={refusedReports[report.variables]}
          onRetry={() => report.mutate(report.variables)}
        />
      )}
      <ol className="steps surface" aria-label="Steps" ref={list}>
        {steps.map((step) => (
          <StepRow key={step.key} step={step} before={timeBefore(steps, step)} now={now}>
            <StepButtons
              step={step}
              steps={steps}
              sources={sources}
              pending={report.isPending ? report.variables : undefined}
              onReport={(what) => {
                // The same twice is a slip of the finger; another one is meant, and must not be swallowed.
                if (!report.isPending || report.variables !== what) report.mutate(what);
              }}
            />
          </StepRow>
        ))}
      </ol>
    </>
  );
}

/** When the last step before one was done. */
function timeBefore(steps: readonly OrderStep[], step: OrderStep): number | undefined {
  const times = steps.slice(0, steps.indexOf(step)).flatMap(({ time }) => time ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

const stepOf: Readonly<Record<OrderReport, StepKey>> = {
  pay: 'payment',
  dispatch: 'dispatch',
  delivered: 'delivery',
  undelivered: 'delivery',
  confirm: 'confirmation',
};

/** The button that was pressed waits and is then gone: its step has the focus, so that the next key press goes on from there. */
function keepFocus(list: HTMLElement | null, what: OrderReport): void {
  const row = list?.querySelector<HTMLElement>(`[data-step="${stepOf[what]}"]`);
  const { activeElement } = document;
  if (activeElement === document.body || row?.contains(activeElement) === true) row?.focus({ preventScroll: true });
}

const stepLooks: Readonly<Record<StepState, { readonly text: string; readonly Icon: typeof RunIcon }>> = {
  done: { text: 'Done', Icon: CheckIcon },
  active: { text: 'In progress', Icon: RunIcon },
  waiting: { text: 'Upcoming', Icon: DotIcon },
  skipped: { text: 'Skipped', Icon: SkipIcon },
  failed: { text: 'Failed', Icon: CloseIcon },
};

interface StepRowProps {
  readonly step: OrderStep;
  /** When the step before was done. */
  readonly before: number | undefined;
  readonly now: number;
  readonly children: ReactNode;
}

function StepRow({ step, before, now, children }: StepRowProps) {
  const { text, Icon } = stepLooks[step.state];
  return (
    <li className="step quiet-focus" data-step={step.key} data-state={step.state} tabIndex={-1}>
      <span className="step-mark">
        <Icon size={16} />
      </span>
      <div className="step-text">
        <b>{titles[step.key]}</b>{' '}
        {step.time === undefined ? (
          <span>{text}</span>
        ) : (
          // The mark says the state; the word is for those who do not see it.
          <span className="step-time">
            <span className="visually-hidden">{text} · </span>
            <Moment value={step.time} />
            <StepLength milliseconds={step.time - (before ?? step.time)} />
          </span>
        )}
        <p className="long-text">
          <StepText step={step} now={now} />
        </p>
      </div>
      <div className="step-buttons">{children}</div>
    </li>
  );
}

/** How long it took since the step before, unless both were done at once. */
function StepLength({ milliseconds }: { readonly milliseconds: number }) {
  if (milliseconds < 1_000) return null;
  return (
    <>
      {', '}
      <span className="no-wrap">after {durationText(milliseconds)}</span>
    </>
  );
}

/** Text of a step, with the time since which it is waited for and the time that is left. */
function StepText({ step: { text, since, until }, now }: { readonly step: OrderStep; readonly now: number }) {
  return (
    <>
      {text}
      {since === undefined ? null : (
        <>
          {' since '}
          <Moment value={since} /> ({secondsText(now - since)}).
        </>
      )}
      {until === undefined ? null : ` ${secondsText(until - now)} left.`}
    </>
  );
}

/** A time that goes on while it is looked at: without tenths of seconds. */
function secondsText(milliseconds: number): string {
  const seconds = Math.ceil(Math.max(0, milliseconds) / 1_000);
  return seconds < 10 ? `${seconds} s` : durationText(seconds * 1_000);
}

interface StepButtonsProps {
  readonly step: OrderStep;
  readonly steps: readonly OrderStep[];
  readonly sources: OrderSources;
  /** The report that is under way. */
  readonly pending: OrderReport | undefined;
  onReport(report: OrderReport): void;
}

function StepButtons({ step, steps, sources, pending, onReport }: StepButtonsProps) {
  const open = isOpen(sources);
  const stateOf = (key: StepKey): StepState | undefined => steps.find((other) => other.key === key)?.state;
  const button = (what: OrderReport, label: string) =>
    !mayReport(what) ? null : (
      <Button
        size="xs"
        variant={step.state === 'active' && what !== 'undelivered' ? 'filled' : 'default'}
        loading={pending === what}
        onClick={() => onReport(what)}
      >
        {label}
      </Button>
    );
  switch (step.key) {
    case 'payment':
      return step.state === 'active' ? button('pay', 'Record payment') : null;
    case 'dispatch':
      return step.state === 'active' ? button('dispatch', 'Dispatch') : null;
    case 'delivery':
      return open.order && (step.state === 'active' || step.state === 'waiting') ? (
        <>
          {button('delivered', 'Report delivered')}
          {button('undelivered', 'Report undelivered')}
        </>
      ) : null;
    case 'confirmation':
      return open.consignment && stateOf('dispatch') === 'done' && (step.state === 'active' || step.state === 'waiting')
        ? button('confirm', 'Confirm receipt')
        : null;
    case 'compensation':
      return mayControl && !open.order && failedCompensation(sources.orderEvents).length > 0 ? (
        <CompensateAgain sources={sources} />
      ) : null;
    case 'placed':
      return null;
  }
}

function CompensateAgain({ sources }: { readonly sources: OrderSources }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" leftSection={<ResetIcon size={14} />} onClick={() => setOpened(true)}>
        Compensate again …
      </Button>
      <ResetDialog
        workflow={sources.order}
        events={sources.orderEvents}
        opened={opened}
        onClose={() => setOpened(false)}
      />
    </>
  );
}
