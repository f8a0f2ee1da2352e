import { uiApiVersion } from '@gantry/contracts';
import type * as declared from '@gantry/ui';

export const defineUi: typeof declared.defineUi = (setUp) => Object.freeze({ gantryUi: uiApiVersion, setUp });
