import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import './workflow.css';
import type { WorkflowDetail } from '../api/workflows';
import { useNavigate, useSearchParams } from 'react-router-dom';
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
  const navigate = useNavigate();
  const view = parameters.get('view') === 'history' ? 'history' : 'overview';
  const open = (next: string | null): void => {
    const changed = new URLSearchParams(parameters);
    changed.delete('page');
    if (next === 'history') changed.set('view', next);
    else changed.delete('view');
    void navigate({ search: `?${changed}` });
  };
  return (
    <Tabs value={view} onChange={open} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="overview">Overview</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="overview">
        <WorkflowOverview workflow={workflow} events={events} live={live} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        {events === undefined ? <LoadingState rows={8} /> : <HistoryView events={events} />}
      </Tabs.Panel>
    </Tabs>
  );
}
