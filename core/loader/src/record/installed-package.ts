import { installedSchema } from '@gantry/core-supervisor/child';
import { z } from 'zod';
import { instant } from '@gantry/core-common';

/** A package as reports name it, without the lock file of what it needs. */
export const installedPackage = installedSchema
  .omit({ lock: true })
  .extend({
    integrity: z.string().exactOptional().describe('SHA-512 of the tarball, as in Subresource Integrity.'),
    at: instant,
  })
  .meta({ id: 'InstalledPackage' });
