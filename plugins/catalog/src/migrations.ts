import { convertTextToDate, type Migration } from '@gantry/plugin-api';

export const migrations: readonly Migration[] = [
  {
    // Days were text before there was a field type for them.
    name: '2026-11-25-days',
    up: (context) =>
      convertTextToDate(context, [
        { table: 'catalog_promotion', column: 'starts_on' },
        { table: 'catalog_promotion', column: 'ends_on' },
      ]),
  },
];
