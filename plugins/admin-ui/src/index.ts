import { definePlugin } from '@gantry/plugin-api';
import { createAdminPages } from './admin-pages';
import { followTypes } from './preferences/follow-types';
import { migrations } from './preferences/migrations';
import { preferenceRoutes } from './preferences/preference-routes';
import { createPreferenceStore } from './preferences/preference-store';
import { createShownTypes } from './preferences/shown-types';
import { createInitialDataReader } from './initial-data';

const pages = createAdminPages();
const shownTypes = createShownTypes();

export default definePlugin({
  id: 'admin-ui',
  migrations,
  register({ router, database }) {
    router.add(...preferenceRoutes(createPreferenceStore(database), shownTypes));
    router.mount('/admin', pages.serve, { access: 'public' });
  },
  onTypeEvent: (event, { database }) => followTypes(event, database),
  start(context) {
    shownTypes.use(context.platform);
    return pages.load(createInitialDataReader(context));
  },
});
