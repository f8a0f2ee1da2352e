import type { ActivityView, WorkflowDetail } from '@gantry/contracts';
import type { CommandContext } from '../context/command-context';
import type { Colours } from '../terminal/colours';
import { duration, moment } from '../terminal/duration';
import { plain } from '../common/plain';
import { table } from '../terminal/table';
import { callOps } from './ops-client';
import { stateWords } from './ops-words';

/** `gantry ops show <workflow>` */
export async function showWorkflow(
  context: CommandContext,
  workflowId: string,
  runId: string | undefined,
): Promise<number> {
  const { data } = await callOps<WorkflowDetail>(context, { path: [workflowId], query: { runId } });
  if (context.json) context.terminal.printJson(data);
  else context.terminal.print(describeWorkflow(data, context.terminal.colours, Date.now()));
  return 0;
}

/** @param now milliseconds since 1970 */
function describeWorkflow(workflow: WorkflowDetail, colours: Colours, now: number): string {
  const title = colours.bold(`${plain(workflow.workflowId)} (${plain(workflow.type)})`);
  const sections = [
    `${title}\n${table(['', ''], factsOf(workflow, colours, now)).trimStart()}`,
    ...activitySection(workflow, colours, now),
    ...childSection(workflow),
  ];
  return sections.join('\n\n');
}

function factsOf(workflow: WorkflowDetail, colours: Colours, now: number): readonly (readonly [string, string])[] {
  const { startTime, closeTime, parentWorkflowId = '', failure = '' } = workflow;
  const span = duration((closeTime === undefined ? now : Date.parse(closeTime)) - Date.parse(startTime));
  const facts: readonly (readonly [string, string])[] = [
    ['Status', stateWords(workflow.status, colours)],
    ['Step', plain(stepOf(workflow))],
    ['Run', workflow.runId],
    ['Queue', plain(workflow.taskQueue)],
    ['Started', `${moment(startTime)}${closeTime === undefined ? `, ${span} ago` : ''}`],
    ['Ended', closeTime === undefined ? '' : `${moment(closeTime)}, after ${span}`],
    ['Parent', plain(parentWorkflowId)],
    ['Result', plain(ownResult(workflow) ?? '')],
    ['Events', eventsOf(workflow)],
    ['Failure', colours.red(plain(failure))],
    ...workflow.problems.map((problem) => ['Problem', colours.red(plain(problem))] as const),
  ];
  return facts.filter(([, value]) => value !== '');
}

/** Shown where the detail is incomplete. */
function eventsOf({ historyLength, readEvents }: WorkflowDetail): string {
  if (readEvents === undefined) return '';
  return `${historyLength}; the activities and children below are those of the first ${readEvents}, and those in progress`;
}

/** The state that a workflow reports, and the signals that it received, such as `WAITING FOR CHILD, payment received`. */
function stepOf({ state }: WorkflowDetail): string {
  if (state === undefined) return '';
  const { step, orderId: _, ...members } = state;
  const details = Object.entries(members).flatMap(([name, value]) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (typeof value === 'string') return [`${words} ${value}`];
    return value ? [words] : [];
  });
  return [step.replaceAll('_', ' '), ...details].join(', ');
}

function activitySection({ activities }: WorkflowDetail, colours: Colours, now: number): readonly string[] {
  if (activities.length === 0) return [];
  const rows = activities.map((activity) => [
    plain(activity.type),
    stateWords(activity.state, colours),
    String(activity.attempt),
    tookOf(activity),
    describeFailure(activity, now),
  ]);
  return [table(['ACTIVITY', 'STATE', 'ATTEMPT', 'TOOK', 'LAST FAILURE'], rows)];
}

function tookOf({ scheduledTime, closeTime }: ActivityView): string {
  return closeTime === undefined ? '' : duration(Date.parse(closeTime) - Date.parse(scheduledTime));
}

function describeFailure({ lastFailure, nextAttemptTime }: ActivityView, now: number): string {
  if (lastFailure === undefined) return '';
  const wait = nextAttemptTime === undefined ? 0 : Date.parse(nextAttemptTime) - now;
  return wait > 0 ? `${plain(lastFailure)}; next attempt in ${duration(wait)}` : plain(lastFailure);
}

/** What a child gave its parent: the last of the results. */
function ownResult({ status, parentWorkflowId, result }: WorkflowDetail): string | undefined {
  return status === 'COMPLETED' && parentWorkflowId !== undefined ? result.at(-1) : undefined;
}

/** Children that run, and what those that completed gave. */
function childSection(workflow: WorkflowDetail): readonly string[] {
  const { pendingChildren } = workflow;
  const result = ownResult(workflow) === undefined ? workflow.result : workflow.result.slice(0, -1);
  const rows = [
    ...pendingChildren.map(({ workflowId, type }) => [plain(workflowId), plain(type), 'running']),
    ...result.map((value) => ['', '', `completed with ${plain(value)}`]),
  ];
  return rows.length === 0 ? [] : [table(['CHILD', 'TYPE', 'STATE'], rows)];
}
