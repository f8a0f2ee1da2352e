import type { WorkflowDetail } from '@gantry/contracts';
import type { CommandContext } from '../context/command-context';
import type { Colours } from '../terminal/colours';
import { duration, moment } from '../terminal/duration';
import { plain } from '../common/plain';
import { table } from '../terminal/table';
import { callOps } from './ops-client';
import type { Entry } from './ops-entry';
import { attributesOf, timeOf, typeOf, type History, type HistoryEvent } from './ops-events';
import { isEnd, timelineOf } from './ops-timeline';
import { stateWords } from './ops-words';

export interface HistoryArguments {
  readonly workflowId: string;
  readonly runId: string | undefined;
  /** Every event as Temporal holds it, instead of the timeline. */
  readonly events: boolean;
}

/** `gantry ops history <workflow>` */
export async function showHistory(context: CommandContext, wanted: HistoryArguments): Promise<number> {
  const { terminal } = context;
  const { workflowId } = wanted;
  const history = await readHistory(context, wanted);
  if (context.json) {
    terminal.printJson(history);
    return 0;
  }
  if (wanted.events) {
    terminal.print(eventTable(history));
    return 0;
  }
  const query = { runId: history.runId };
  const { data: workflow } = await callOps<WorkflowDetail>(context, { path: [workflowId], query });
  terminal.print(timeline(history, workflow, terminal.colours));
  if (history.events.some(isEnd)) {
    terminal.note(`To repeat a step and what follows: gantry ops reset ${workflowId} --to <its point> --dry-run`);
  }
  return 0;
}

/** Page by page, so that no request of a long history takes long. */
async function readHistory(context: CommandContext, { workflowId, runId }: HistoryArguments): Promise<History> {
  const path = [workflowId, 'history'];
  const events: HistoryEvent[] = [];
  for (let query: Readonly<Record<string, string | undefined>> = { runId }; ;) {
    const { data, meta } = await callOps<History>(context, { path, query });
    events.push(...data.events);
    const after = meta?.['nextCursor'];
    if (typeof after !== 'string') return { ...data, events };
    query = { after };
  }
}

function timeline({ events }: History, workflow: WorkflowDetail, colours: Colours): string {
  const start = events[0] === undefined ? 0 : timeOf(events[0]);
  const title = `${colours.bold(`${plain(workflow.workflowId)} (${plain(workflow.type)})`)} ${stateWords(workflow.status, colours)}`;
  const rows = timelineOf(events, activitiesOf(workflow)).flatMap((entry) => linesOf(entry, start, colours));
  const problems = workflow.problems.map((problem) => colours.red(`\n${plain(problem)}`));
  const heading = `${title}\nRun ${workflow.runId}, started ${moment(workflow.startTime)}`;
  return [heading, '', table(['AT', 'TOOK', 'POINT', 'WHAT', '', ''], rows), ...problems].join('\n');
}

/** None for a long run: the omitted ones would assign the others to the wrong events. */
function activitiesOf({ activities, readEvents }: WorkflowDetail): WorkflowDetail['activities'] {
  return readEvents === undefined ? activities : [];
}

/** The entry, and below it what is to be said of it. */
function linesOf(entry: Entry, start: number, colours: Colours): readonly (readonly string[])[] {
  const { kind, name, state, tone, end, remarks, resetPoint = '' } = entry;
  const paint = { good: colours.green, bad: colours.red, open: colours.yellow, quiet: colours.dim }[tone];
  const took = end === undefined ? '' : duration(end - entry.start);
  return [
    [`+${duration(entry.start - start)}`, took, resetPoint, colours.dim(kind), plain(name), paint(plain(state))],
    ...remarks.map((remark) => ['', '', '', '', '', paint(`  ${plain(remark)}`)]),
  ];
}

function eventTable({ events }: History): string {
  const start = events[0] === undefined ? 0 : timeOf(events[0]);
  const rows = events.map((event) => [
    event.eventId,
    `+${duration(timeOf(event) - start)}`,
    typeOf(event),
    details(event),
  ]);
  return table(['EVENT', 'AT', 'TYPE', 'ATTRIBUTES'], rows);
}

function details(event: HistoryEvent): string {
  return plain(JSON.stringify(attributesOf(event)));
}
