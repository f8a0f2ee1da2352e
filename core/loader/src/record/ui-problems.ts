import { uiApiVersion, type PluginUiProblem } from '@gantry/contracts';

/** Problems of the pages of a plugin that runs otherwise; the documentation of the codes is made from them. */
export const uiProblemKinds = {
  UI_API_INCOMPATIBLE: 'The pages are written for another version of the UI API',
  UI_FILES_UNREADABLE: 'The built pages are missing or cannot be served',
} as const satisfies Record<string, string>;

/** The problems with their sentences. */
export const uiProblem = {
  otherVersion: (version: number): PluginUiProblem => ({
    code: 'UI_API_INCOMPATIBLE' satisfies keyof typeof uiProblemKinds,
    reason: `Its pages are written for version ${version} of the UI API; this host has version ${uiApiVersion}`,
    remedy: `Use a version of the package whose pages are built for version ${uiApiVersion}, or update Gantry`,
  }),
  unreadable: (reason: string): PluginUiProblem => ({
    code: 'UI_FILES_UNREADABLE' satisfies keyof typeof uiProblemKinds,
    reason: `Its pages cannot be served: ${reason}`,
    remedy: 'Build the pages of the package, or correct gantry.ui.entry in its package.json',
  }),
};
