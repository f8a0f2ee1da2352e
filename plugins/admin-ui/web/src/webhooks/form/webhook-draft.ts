import type { DeliveredAction } from '@gantry/contracts';
import { ApiError } from '../../api/api-error';
import type { WebhookInput, Webhook, WebhookCondition } from '../webhook-api';

/** A header field in a form. */
export interface HeaderDraft {
  /** Of the row, for its whole life. */
  readonly key: number;
  readonly name: string;
  /** Undefined for a value that is stored, and which nobody is shown. */
  readonly value: string | undefined;
}

export interface ConditionDraft extends WebhookCondition {
  readonly key: number;
}

/** Input of the form of a webhook. */
export interface WebhookDraft {
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly actions: readonly DeliveredAction[];
  readonly filter: readonly ConditionDraft[];
  readonly headers: readonly HeaderDraft[];
}

export const emptyDraft: WebhookDraft = { name: '', url: '', types: [], actions: [], filter: [], headers: [] };

export function draftOf({ name, url, types, actions, filter, headers }: Webhook): WebhookDraft {
  return {
    ...{ name, url, types, actions },
    filter: filter.map((condition, key) => ({ key, ...condition })),
    headers: headers.map((field, key) => ({ key, name: field, value: undefined })),
  };
}

/** Rows without a name are left out. */
export function inputOf({ name, url, types, actions, filter, headers }: WebhookDraft): WebhookInput {
  return {
    ...{ name: name.trim(), url: url.trim(), types, actions },
    filter: filter
      .filter(({ field, value }) => field.trim() !== '' || value !== '')
      .map(({ field, operator, value }) => ({ field: field.trim(), operator, value })),
    headers: Object.fromEntries(
      headers
        .filter((header) => header.name.trim() !== '' || (header.value ?? '') !== '')
        .map((header) => [header.name.trim(), header.value ?? null]),
    ),
  };
}

/** For the next row. */
export function nextKey(rows: readonly { readonly key: number }[]): number {
  return rows.reduce((max, { key }) => Math.max(max, key + 1), 0);
}

export const deliveredActions: readonly { readonly value: DeliveredAction; readonly label: string }[] = [
  { value: 'created', label: 'Created' },
  { value: 'updated', label: 'Changed' },
  { value: 'deleted', label: 'Deleted' },
  { value: 'restored', label: 'Restored' },
];

export function actionText(action: DeliveredAction): string {
  return deliveredActions.find(({ value }) => value === action)?.label ?? action;
}

/** Problems of the parts of the form; its rows are one part. */
export type DraftProblems = Readonly<Partial<Record<keyof WebhookDraft, string>>>;

const parts = ['name', 'url', 'types', 'actions', 'filter', 'headers'] as const;

/** The problems of a refused form by its parts; those of no part are shown above. */
export function problemsOf(error: Error | null): { readonly byPart: DraftProblems; readonly rest: Error | null } {
  const details = error instanceof ApiError ? error.details : [];
  const byPart: Partial<Record<keyof WebhookDraft, string>> = {};
  for (const { path, message } of details) {
    const part = parts.find((one) => path === one || path.startsWith(`${one}[`) || path.startsWith(`${one}.`));
    if (part === undefined) return { byPart: {}, rest: error };
    byPart[part] = byPart[part] === undefined ? sentence(message) : `${byPart[part]} ${sentence(message)}`;
  }
  return { byPart, rest: details.length > 0 ? null : error };
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
