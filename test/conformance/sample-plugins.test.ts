import { join } from 'node:path';
import { describePlugin } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');

// As third parties do it: a package in CommonJS and one in ESM, each with a type that refers to a type of another plugin; and types
// whose items go with what they refer to, have addresses that are made from their names, and forms with tabs and conditions.
describePlugin(
  [
    join(project, 'test/samples/recipes'),
    join(project, 'test/samples/reviews'),
    join(project, 'test/samples/banners'),
    join(project, 'test/e2e/admin/fixtures/rooms'),
  ],
  { project },
);
