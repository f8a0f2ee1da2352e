import './workflow.css';
import type { WorkflowDetail } from '../api/workflows';
import { useSearchParams } from 'react-router-dom';
import { LinkTabs } from '../../ui/page/link-tabs';
import { LoadingState } from '../../ui/states';
import type { HistoryEvent } from '../api/history-event';
import { HistoryView } from '../history/history-view';
import { WorkflowOverview } from './workflow-overview';

export interface WorkflowViewsProps {
  readonly workflow: WorkflowDetail;
  /** Undefined until they are read. */
  readonly events: readonly HistoryEvent[] | undefined;
  readonly live: boolean;
}

/** A run as a person reads it, and its raw events. */
export function WorkflowViews({ workflow, events, live }: WorkflowViewsProps) {
  const [parameters] = useSearchParams();
  const isHistory = parameters.get('view') === 'history';
  const addressOf = (view: string | undefined): string => {
    const changed = new URLSearchParams(parameters);
    changed.delete('page');
    changed.delete('view');
    if (view !== undefined) changed.set('view', view);
    return `?${changed}`;
  };
  return (
    <>
      <LinkTabs
        label="Views of the workflow"
        tabs={[
          { key: 'overview', label: 'Overview', to: addressOf(undefined), isOpen: !isHistory, count: undefined },
          { key: 'history', label: 'History', to: addressOf('history'), isOpen: isHistory, count: undefined },
        ]}
      />
      {!isHistory ? (
        <WorkflowOverview workflow={workflow} events={events} live={live} />
      ) : events === undefined ? (
        <LoadingState rows={8} />
      ) : (
        <HistoryView events={events} />
      )}
    </>
  );
}
