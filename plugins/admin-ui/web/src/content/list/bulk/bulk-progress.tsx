import { Alert, Anchor, Button, Group, List, Progress, Text } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { messageOf } from '../../../api/api-error';
import { WarningIcon } from '../../../ui/icons';
import { itemLabel } from '../../../api/label';
import { effectText } from '../../deletion-text';
import { openDeletions, reasonOf, type OpenDeletions } from './bulk-actions';
import type { BulkFailure, BulkState, BulkStop } from './bulk-run';

export interface BulkProgressProps {
  readonly metadata: ItemMetadata;
  readonly state: BulkState;
  readonly total: number;
  /** `deleted` or `changed`. */
  readonly participle: string;
  onCancel(): void;
  onResume(): void;
  /** Deletes what waits for it, with what becomes of others. */
  readonly onConfirm?: (confirmations: ReadonlyMap<string, string>) => void;
  /** Asks again what to do; offered when nothing was done because the value is wrong. */
  onBack(): void;
  onClose(): void;
}

/** How far an action is, and in the end the result of every item that did not go well. */
export function BulkProgress(props: BulkProgressProps) {
  const { metadata, state, total, participle, onCancel, onResume, onConfirm, onBack, onClose } = props;
  const { done, failures, running, stop } = state;
  const seen = done + failures.length;
  const focus = useFocusOnChange(running);
  const open = openDeletions(failures);
  const text = `${done.toLocaleString()} of ${total.toLocaleString()} ${participle}${failures.length === 0 ? '' : `, ${failures.length} failed`}`;
  return (
    <>
      <Text ref={focus} tabIndex={-1} className="quiet-focus">
        {text}
      </Text>
      <Progress
        value={total === 0 ? 100 : Math.min(100, (100 * seen) / total)}
        animated={running}
        mt="xs"
        aria-label="Progress"
      />
      <Milestones text={text} running={running} step={Math.floor((10 * seen) / Math.max(total, 1))} />
      {running || stop === undefined ? null : <Stopped stop={stop} />}
      {running || failures.length === 0 ? null : <Failures metadata={metadata} failures={failures} />}
      {running || open.count === 0 || onConfirm === undefined ? null : (
        <OpenEffects open={open} onConfirm={() => onConfirm(open.confirmations)} />
      )}
      <Group justify="flex-end" mt="md">
        {running ? (
          <Button variant="default" onClick={onCancel} disabled={stop !== undefined} data-autofocus>
            {stop === undefined ? 'Cancel' : 'Stopping …'}
          </Button>
        ) : (
          <>
            {stop?.kind === 'refused' && done === 0 ? (
              <Button variant="default" onClick={onBack}>
                Change the value
              </Button>
            ) : null}
            {failures.length === 0 && stop === undefined ? null : (
              <Button variant="default" onClick={onResume}>
                {resumeLabel(failures.length, stop)}
              </Button>
            )}
            <Button onClick={onClose} data-autofocus>
              Close
            </Button>
          </>
        )}
      </Group>
    </>
  );
}

/** Items that are deleted or changed with the items that were not deleted yet, to be confirmed. */
function OpenEffects({ open, onConfirm }: { readonly open: OpenDeletions; readonly onConfirm: () => void }) {
  const isOne = open.count === 1;
  return (
    <Alert color="red" icon={<WarningIcon />} title="Other items would be deleted or changed with them" my="sm">
      <Text size="sm">
        {isOne
          ? 'One item was not deleted. If it is,'
          : `${open.count.toLocaleString()} items were not deleted. If they are, at most`}
      </Text>
      <List size="sm">
        {open.effects.map((effect) => (
          <List.Item key={`${effect.type} ${effect.action}`}>{effectText(effect)}</List.Item>
        ))}
      </List>
      <Button color="red" size="xs" mt="sm" onClick={onConfirm}>
        {isOne ? 'Delete it with these' : `Delete ${open.count.toLocaleString()} with these`}
      </Button>
    </Alert>
  );
}

function resumeLabel(failed: number, stop: BulkStop | undefined): string {
  if (failed === 0) return 'Continue';
  const again = failed === 1 ? 'Retry the failed item' : `Retry the ${failed.toLocaleString()} failed items`;
  return stop === undefined ? again : `${again} and continue`;
}

/** The button that begins or ends a run goes with that, and the next one should not be pressed by the same key. */
function useFocusOnChange(running: boolean): RefObject<HTMLParagraphElement | null> {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (running || document.activeElement === document.body) text.current?.focus();
  }, [running]);
  return text;
}

/** Spoken at every tenth part and at the end; every single item would drown out all else. */
function Milestones({
  text,
  running,
  step,
}: {
  readonly text: string;
  readonly running: boolean;
  readonly step: number;
}) {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    setSpoken(running ? text : `Finished: ${text}`);
    // Only the steps are announced, with the text of that moment.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [running, step]);
  return (
    <span role="status" className="visually-hidden">
      {spoken}
    </span>
  );
}

function Stopped({ stop }: { readonly stop: BulkStop }) {
  return (
    <Alert color="yellow" icon={<WarningIcon />} title={stopTitles[stop.kind]} my="sm">
      {stop.kind === 'cancelled' ? 'Completed changes are kept; the other items are unchanged.' : null}
      {stop.kind === 'too-many-failures'
        ? 'Check the reasons before you continue; the other items are unchanged.'
        : null}
      {stop.kind === 'failed' || stop.kind === 'refused' ? (
        <span className="long-text">{messageOf(stop.error)}</span>
      ) : null}
    </Alert>
  );
}

const stopTitles: Readonly<Record<BulkStop['kind'], string>> = {
  cancelled: 'Cancelled',
  failed: 'Interrupted',
  refused: 'Refused',
  'too-many-failures': 'Stopped, because many items failed',
};

function Failures({
  metadata,
  failures,
}: {
  readonly metadata: ItemMetadata;
  readonly failures: readonly BulkFailure[];
}) {
  return (
    // A list that scrolls has to be reached by keyboard.
    <div className="bulk-failures" role="region" aria-label="Failed items" tabIndex={0}>
      <ul className="value-list">
        {failures.map(({ item, error }) => (
          <li key={item.id} className="bulk-failure">
            <Anchor component={Link} to={`/content/${metadata.code}/${item.id}`} underline="always" inherit>
              <bdi>{itemLabel(item).slice(0, 80)}</bdi> ({item.id})
            </Anchor>
            : <span className="long-text">{reasonOf(error)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
