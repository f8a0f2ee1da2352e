import { contentPlugins, type TestHostOptions } from '../../../support/platform';

/** The content plugins, and a plugin whose types use everything that a declaration can say. */
export const workbench: TestHostOptions = { plugins: [...contentPlugins, 'test/e2e/rest/fixtures/workbench'] };
