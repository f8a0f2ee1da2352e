import { definePlugin } from '@gantry/plugin-api';
import { createAdminPages } from './admin-pages';
import { migrations } from './preferences/migrations';
import { addPreferenceRoutes } from './preferences/preference-routes';
import { createPreferenceStore } from './preferences/preference-store';
import { createInitialDataReader } from './initial-data';

const pages = createAdminPages();

export default definePlugin({
  id: 'admin-ui',
  migrations,
  register({ router, database }) {
    addPreferenceRoutes(router, createPreferenceStore(database));
    router.mount('/admin', pages.serve, { access: 'public' });
  },
  start: (context) => pages.load(createInitialDataReader(context)),
});
