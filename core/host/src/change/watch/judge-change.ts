import type { ChangeFailureCode, ServiceLevel } from '@gantry/contracts';
import { difference, together, type AnswersByPlugin } from './answer-counts';

/** What one look at a host after a change finds. */
export interface Look {
  /** Whether PostgreSQL and, where it is used, Temporal answer: otherwise the look says nothing about plugins. */
  readonly isSound: boolean;
  /** Plugins that run and report that they are not well, with what they say. */
  readonly unhealthy: ReadonlyMap<string, string>;
  /** Of the whole time since the host began to serve. */
  readonly answers: AnswersByPlugin;
}

export interface WatchedChange {
  /** Plugins that the change is about, and those that depend on them. */
  readonly concerned: ReadonlySet<string>;
  /** Plugins that did not run before. */
  readonly added: ReadonlySet<string>;
  /** How the platform was before. */
  readonly before: ServiceLevel;
}

/** Why a change counts as failed. */
export interface ChangeFailure {
  readonly code: ChangeFailureCode;
  readonly plugin: string;
  /** A sentence without a full stop, as the rest of one that begins with the plugin. */
  readonly reason: string;
}

/** What the looks so far have found. */
export interface Findings {
  readonly last?: Look;
  readonly answers: AnswersByPlugin;
  /** How many looks in a row each plugin was not well. */
  readonly unhealthy: ReadonlyMap<string, number>;
}

export const noFindings: Findings = { answers: {}, unhealthy: new Map() };

/** The first of these looks may be the first that the plugin gets at all: one that connects to something has time for it. */
export const unhealthyLooks = 6;
export const minAnswers = 20;
export const minFaults = 10;
/** Of the answers of a plugin that the change is about, and of any other one. */
const maxShare = { concerned: 0.1, other: 0.5 } as const;
/** A share that was there before has to grow by this factor. */
const minGrowth = 3;

/** Adds a look. Counts between looks count when PostgreSQL and Temporal answered at both. */
export function addLook(findings: Findings, look: Look): Findings {
  const { last } = findings;
  const isCounted = look.isSound && (last === undefined || last.isSound);
  const since = difference(last?.answers ?? {}, look.answers);
  return {
    last: look,
    answers: isCounted ? together(findings.answers, since) : findings.answers,
    unhealthy: look.isSound
      ? new Map([...look.unhealthy.keys()].map((plugin) => [plugin, (findings.unhealthy.get(plugin) ?? 0) + 1]))
      : new Map(),
  };
}

/** @returns undefined for a change that counts as sound so far */
export function judgeChange(findings: Findings, change: WatchedChange): ChangeFailure | undefined {
  return judgeHealth(findings, change) ?? judgeAnswers(findings, change);
}

/** A plugin that was well before, and which the change is about. A cause outside of the platform cannot be excluded. */
function judgeHealth({ unhealthy, last }: Findings, { concerned, before }: WatchedChange): ChangeFailure | undefined {
  for (const [plugin, looks] of unhealthy) {
    if (looks < unhealthyLooks || !concerned.has(plugin) || !before.healthy.includes(plugin)) continue;
    const message = last?.unhealthy.get(plugin) ?? '';
    const said = message === '' ? '' : `: ${message.replace(/\.$/, '')}`;
    return { code: 'PLUGIN_UNHEALTHY', plugin, reason: `was healthy before the change and is not since${said}` };
  }
  return undefined;
}

function judgeAnswers({ answers }: Findings, change: WatchedChange): ChangeFailure | undefined {
  for (const [plugin, { answers: count, faults }] of Object.entries(answers)) {
    if (count < minAnswers || faults < minFaults) continue;
    const share = faults / count;
    const earlier = shareBefore(plugin, change);
    const isConcerned = change.concerned.has(plugin);
    if (earlier === undefined || share < maxShare[isConcerned ? 'concerned' : 'other'] || share < earlier * minGrowth) {
      continue;
    }
    const was = change.added.has(plugin) ? '' : `, ${percent(earlier)} before it`;
    const reason = `failed to answer ${faults} of ${count} requests since the change (${percent(share)}${was})`;
    return { code: 'PLUGIN_ERROR_RATE', plugin, reason };
  }
  return undefined;
}

/** @returns undefined where it is not known, and the plugin may have failed before as well */
function shareBefore(plugin: string, { before, added, concerned }: WatchedChange): number | undefined {
  const { answers = 0, faults = 0 } = before.answers[plugin] ?? {};
  if (answers >= minAnswers) return faults / answers;
  return added.has(plugin) || (concerned.has(plugin) && faults === 0) ? 0 : undefined;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
