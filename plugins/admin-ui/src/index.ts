import { definePlugin } from '@gantry/plugin-api';
import { createAdminPages } from './admin-pages';

const pages = createAdminPages();

export default definePlugin({
  id: 'admin-ui',
  register: (context) => context.router.mount('/admin', pages.serve),
  start: () => pages.load(),
});
