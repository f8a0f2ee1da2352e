import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerCounts } from '../../change/watch/answer-counts';

const ownerKey = Symbol('gantry.answerOwner');
const faultKey = Symbol('gantry.answerFault');

interface Marked {
  [ownerKey]?: string;
  [faultKey]?: true;
  readonly params?: { readonly type?: unknown };
}

/** Notes the plugin whose code answers. */
export function setAnswerOwner(request: IncomingMessage, plugin: string): void {
  (request as Marked)[ownerKey] = plugin;
}

/** Notes that the plugin has not answered, whatever the status of the answer says. */
export function setAnswerFault(request: IncomingMessage): void {
  (request as Marked)[faultKey] = true;
}

export type ObserveAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** What the code of plugins is at fault for; 503 is sent while something else is unavailable. */
const faultStatuses: readonly number[] = [500, 502, 504];

/** Counts each answer for its plugin: that of the route, or that of the item type in the path. */
export function createObserveAnswer(
  counts: AnswerCounts,
  pluginOfType: (code: string) => string | undefined,
): ObserveAnswer {
  return (request, response) => {
    response.once('close', () => {
      // The client has gone away before.
      if (!response.headersSent) return;
      const { [ownerKey]: owner, [faultKey]: isFault, params } = request as Marked;
      const type = params?.type;
      const plugin = owner ?? (typeof type === 'string' ? pluginOfType(type) : undefined);
      if (plugin !== undefined) counts.count(plugin, isFault === true || faultStatuses.includes(response.statusCode));
    });
  };
}
