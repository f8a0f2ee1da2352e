import { join } from 'node:path';
import { describePlugin } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');

// As third parties do it: a package in CommonJS and one in ESM, each with a type that refers to a type of another plugin.
describePlugin([join(project, 'test/samples/recipes'), join(project, 'test/samples/reviews')], { project });
