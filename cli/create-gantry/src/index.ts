export { createPlugin } from './create-plugin';
export type { CreatedPlugin, PluginOptions } from './create-plugin';
export { createProject } from './create-project';
export type { CreatedProject, ProjectOptions } from './create-project';
export { findProject, isPluginFolder } from './find-project';
export { itemTypeOf, textOfName } from './names';
export { describeProject } from './run';
export { runNpm } from './run-npm';
