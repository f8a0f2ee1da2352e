import { userInfo } from 'node:os';
import type { PlatformRequest, PlatformSchema } from '@gantry/client/platform';
import { Declined } from '../../common/failure';
import { plain } from '../../common/plain';
import type { CommandContext } from '../../context/command-context';
import type { Colours } from '../../terminal/colours';
import { assertAskable, confirm } from '../../terminal/confirm';
import { duration, moment } from '../../terminal/duration';
import { counted, table } from '../../terminal/table';
import { callOps, named, readPages } from './ops-client';

type ResetOutcome = PlatformSchema<'ops.ResetOutcome'>;
type WorkflowDetail = PlatformSchema<'ops.WorkflowDetail'>;
type ResetRequest = PlatformRequest<'POST', '/workflows/{workflowId}/reset'>['body'];
type ListQuery = NonNullable<PlatformRequest<'GET', '/workflows'>['query']>;

interface ListArguments {
  readonly query: ListQuery;
  /** All pages from there on, not one. */
  readonly all: boolean;
}

/** `gantry ops list` */
export async function listWorkflows(context: CommandContext, { query, all }: ListArguments) {
  const { json, terminal } = context;
  const limit = query.limit ?? (all ? 1_000 : undefined);
  const { pages, nextCursor } = await readPages(
    (cursor) => callOps('GET', '/workflows', { query: { ...query, limit, ...cursor } }, context),
    all,
  );
  const workflows = pages.flat();
  const rows = workflows.map(({ workflowId, type, status, startTime, closeTime }) => [
    ...[plain(workflowId), plain(type), stateText(status, terminal.colours), moment(startTime)],
    closeTime === undefined ? '' : duration(Date.parse(closeTime) - Date.parse(startTime)),
  ]);
  if (json) terminal.printJson(workflows, nextCursor === undefined ? undefined : { nextCursor });
  else if (rows.length === 0) terminal.note('No results');
  else terminal.print(table(['WORKFLOW', 'TYPE', 'STATUS', 'STARTED', 'DURATION'], rows));
  if (!json && nextCursor !== undefined) {
    terminal.note(`${counted(rows.length, 'workflow')} shown; there are more. Add --all, or --after ${nextCursor}`);
  }
  return 0;
}

/** `gantry ops show <workflow>`: what the platform answers, without the steps between. */
export async function showWorkflow(context: CommandContext, workflowId: string, runId: string | undefined) {
  const request = { path: named(workflowId), query: { runId } };
  const { data } = await callOps('GET', '/workflows/{workflowId}', request, context);
  const { json, terminal } = context;
  if (json) terminal.printJson(data);
  else terminal.print(describe(data, terminal.colours));
  return 0;
}

function describe(workflow: WorkflowDetail, colours: Colours): string {
  const { startTime, closeTime, historyLength, readEvents } = workflow;
  const facts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['Step', workflow.state?.step.replaceAll('_', ' ')],
    ['Run', workflow.runId],
    ['Task queue', workflow.taskQueue],
    ['Started', moment(startTime)],
    ['Ended', closeTime && moment(closeTime)],
    ['Parent', workflow.parentWorkflowId],
    ['Events', readEvents === undefined ? undefined : `${historyLength}; shown are the first ${readEvents}`],
    ['Failure', workflow.failure],
    ...workflow.problems.map((problem) => ['Problem', problem] as const),
    ...workflow.pendingChildren.map((child) => ['Child', child.workflowId] as const),
    ...workflow.result.map((result) => ['Result', result] as const),
  ];
  const shown = facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, plain(text)]]));
  const title = colours.bold(plain(`${workflow.workflowId} (${workflow.type})`));
  const activities = workflow.activities.map(({ type, state, attempt, lastFailure = '' }) => [
    ...[plain(type), stateText(state, colours), String(attempt), plain(lastFailure)],
  ]);
  return [
    `${title}\n${table(['Status', stateText(workflow.status, colours)], shown)}`,
    ...(activities.length === 0 ? [] : [table(['ACTIVITY', 'STATE', 'ATTEMPT', 'LAST FAILURE'], activities)]),
  ].join('\n\n');
}

/** A state of a workflow or activity, coloured. */
function stateText(state: string, { green, red, yellow, dim }: Colours): string {
  const text = state.replaceAll('_', ' ');
  if (/^completed$/i.test(state)) return green(text);
  if (/^(failed|timed_out|terminated)$/i.test(state)) return red(text);
  return /^(running|scheduled|started)$/i.test(state) ? yellow(text) : dim(text);
}

/** `gantry ops history <workflow>`: every event as Temporal stores it. */
export async function showHistory(context: CommandContext, workflowId: string, runId: string | undefined) {
  const path = named(workflowId);
  const { pages } = await readPages(
    (cursor) => callOps('GET', '/workflows/{workflowId}/history', { path, query: { runId, ...cursor } }, context),
    true,
  );
  const events = pages.flatMap((page) => page.events);
  if (context.json) context.terminal.printJson({ ...pages[0], events });
  else context.terminal.print(table(['EVENT', 'TIME', 'TYPE', 'ATTRIBUTES'], events.map(eventRow)));
  return 0;
}

function eventRow(event: PlatformSchema<'ops.HistoryEvent'>): readonly string[] {
  const attributes = Object.entries(event).find(([name]) => name.endsWith('EventAttributes'))?.[1] ?? {};
  const type = event.eventType.replace(/^EVENT_TYPE_/, '');
  return [event.eventId, moment(event.eventTime), type, plain(JSON.stringify(attributes))];
}

interface AuditNote {
  readonly reason: string | undefined;
  /** The user of this computer unless given. */
  readonly by: string | undefined;
}

interface Confirmed extends AuditNote {
  /** Asks nothing. */
  readonly yes: boolean;
}

const ends = {
  cancel: { subject: 'Cancelling', verb: 'Cancel', effect: 'A paid order is refunded.', done: 'is being cancelled' },
  terminate: {
    subject: 'Terminating',
    verb: 'Terminate',
    effect: 'It ends at once: nothing is refunded, and no notification is sent.',
    done: 'has been terminated',
  },
} as const;

/** `gantry ops cancel <workflow>` and `gantry ops terminate <workflow>` */
export async function endWorkflow(
  context: CommandContext,
  how: keyof typeof ends,
  workflowId: string,
  { yes, ...note }: Confirmed,
) {
  const { subject, verb, effect, done } = ends[how];
  assertAskable(context.terminal, yes, `${subject} a workflow`);
  if (!yes) await assertConfirmed(context, `${verb} ${plain(workflowId)}? ${effect}`);
  const request = { path: named(workflowId), body: bodyOf(note) };
  const { data } = await callOps('POST', `/workflows/{workflowId}/${how}`, request, context);
  return printDone(context, data, `${workflowId} ${done}.`);
}

/** `gantry ops signal <workflow> <signal>` */
export async function signalWorkflow(
  context: CommandContext,
  workflowId: string,
  { signal, args, ...note }: AuditNote & { readonly signal: string; readonly args: readonly unknown[] },
) {
  const body = { ...bodyOf(note), signal, ...(args.length === 0 ? {} : { args }) };
  const request = { path: named(workflowId), body };
  const { data } = await callOps('POST', '/workflows/{workflowId}/signal', request, context);
  return printDone(context, data, `${workflowId} received the signal ${signal}.`);
}

interface ResetArguments extends Confirmed {
  readonly to: ResetRequest['to'];
  readonly dryRun: boolean;
}

/** `gantry ops reset <workflow>`: shows the plan and its warnings, asks, and requests exactly that reset. */
export async function resetWorkflow(context: CommandContext, workflowId: string, wanted: ResetArguments) {
  const { json, terminal } = context;
  if (!wanted.dryRun) assertAskable(terminal, wanted.yes, 'Resetting a workflow');
  const path = named(workflowId);
  const reset = async (more: Partial<ResetRequest>) => {
    const body = { ...bodyOf(wanted), to: wanted.to, ...more };
    return (await callOps('POST', '/workflows/{workflowId}/reset', { path, body }, context)).data;
  };
  const plan = await reset({ dryRun: true });
  if (wanted.dryRun && json) terminal.printJson(plan);
  else if (wanted.dryRun) terminal.print(`${describePlan(plan)}\nThis was a dry run: nothing was done.`);
  else terminal.note(describePlan(plan));
  if (wanted.dryRun) return 0;
  if (!wanted.yes) await assertConfirmed(context, 'Reset it?');
  // The run is named, so that a run that began meanwhile is not reset.
  const outcome = await reset({ runId: plan.resetRunId, acknowledge: plan.warnings.map(({ code }) => code) });
  return printDone(context, outcome, `${workflowId} continues in the run ${outcome.runId ?? ''}.`);
}

function describePlan({ workflowId, resetRunId, eventId, repeats, warnings }: ResetOutcome): string {
  const steps =
    repeats.length === 0 ? 'No step is repeated.' : 'These steps are repeated, if the workflow reaches them again:';
  return [
    `${plain(workflowId)} is reset to event ${eventId} of the run ${resetRunId}. ${steps}`,
    ...repeats.map((step) => `  ${plain(step)}`),
    ...warnings.map(({ message }) => `Warning: ${plain(message)}`),
  ].join('\n');
}

async function assertConfirmed({ terminal }: CommandContext, question: string): Promise<void> {
  if (!(await confirm(terminal, question))) throw new Declined('Nothing was done.');
}

function printDone({ json, terminal }: CommandContext, data: unknown, sentence: string): number {
  if (json) terminal.printJson(data);
  else terminal.print(plain(sentence));
  return 0;
}

function bodyOf({ reason, by }: AuditNote): { readonly requestedBy: string; readonly reason?: string } {
  return { requestedBy: by ?? ownName(), ...(reason === undefined ? {} : { reason }) };
}

/** The user of this computer; containers have systems without an entry for the user. */
function ownName(): string {
  try {
    return plain(userInfo().username).slice(0, 100) || 'unknown';
  } catch {
    return 'unknown';
  }
}
