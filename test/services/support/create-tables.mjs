// Has the host bring the database of DATABASE_URL up to date for the order services, then ends. In a process of its own,
// because the host hooks into module loading, which jest does not allow.
import { openContent, parseConfig } from '@gantry/host';

const nothing = () => undefined;
const content = await openContent({
  config: parseConfig(process.env),
  logger: { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing },
  quarantines: [],
  tell: nothing,
  temporal: { namespace: 'default', client: () => Promise.reject(new Error('not used')) },
  environment: {},
});
const failed = content.registry.reports().filter(({ problems }) => problems.length > 0);
await content.close();
if (failed.length > 0) throw new Error(JSON.stringify(failed, undefined, 2));
