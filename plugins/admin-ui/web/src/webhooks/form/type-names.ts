import { useQuery } from '@tanstack/react-query';
import { typesQuery } from '../../api/queries';
import type { PluginSubscription } from '../webhook-api';

/** Names of the types of a subscription, in words. */
export function useTypesText(): (subscription: Pick<PluginSubscription, 'types'>) => string {
  const { data: known = [] } = useQuery(typesQuery);
  return ({ types }) => {
    if (types === null) return 'Unknown while the plugin is not in use';
    if (types.length === 0) return 'All types';
    return types.map((type) => known.find((one) => one.type === type)?.displayNamePlural ?? type).join(', ');
  };
}
