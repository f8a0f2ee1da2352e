import type { FormField } from '@gantry/contracts';
import { useQueries } from '@tanstack/react-query';
import { metadataQuery } from '../../api/queries';
import { optionText } from '../../content/choice-text';
import type { Webhook, WebhookCondition } from '../webhook-api';

/** The conditions of a webhook, with what its types call fields and options. */
export function FilterText({ types, filter }: Pick<Webhook, 'types' | 'filter'>) {
  const found = useQueries({ queries: types.map((type) => metadataQuery(type)) });
  const fields = found.flatMap(({ data }) => data?.fields ?? []);
  return filter.map((condition) => conditionText(condition, fields)).join('; ');
}

function conditionText({ field, operator, value }: WebhookCondition, fields: readonly FormField[]): string {
  const known = fields.find(({ name }) => name === field);
  const shown = known?.options?.includes(value) === true ? optionText(known, value) : value;
  return `${known?.displayName ?? field} ${operator === 'EQUALS' ? 'is' : 'is not'} ${shown || 'empty'}`;
}
