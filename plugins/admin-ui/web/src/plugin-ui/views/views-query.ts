import { queryOptions } from '@tanstack/react-query';
import { callPlatform } from '../../api/platform/call-platform';
import { initialData } from '../../api/platform/initial-data';
import { asPluginsAre } from '../../api/queries';

/** The cards and pages that plugins and modules declare, as far as the reader may use their routes. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await callPlatform('GET', '/api/platform/views', {}, signal)).data,
  ...initialData('views'),
  ...asPluginsAre,
});
